#include "daemon/secret.h"

#include <assert.h>
#include <sodium.h>
#include <string.h>

enum { SECRET_BYTES = 32 };

static_assert((int)BL_SECRET_ROOM ==
                  (int)sodium_base64_ENCODED_LEN(SECRET_BYTES,
                                                 sodium_base64_VARIANT_URLSAFE_NO_PADDING),
              "room for the text of a secret");

int bl_secret_init(struct bl_error *err)
{
    return sodium_init() < 0 ? bl_fail(err, BL_ESYSTEM, "the machine gives no random numbers")
                             : BL_OK;
}

void bl_secret_make(char out[BL_SECRET_ROOM])
{
    unsigned char bytes[SECRET_BYTES];

    randombytes_buf(bytes, sizeof bytes);
    sodium_bin2base64(out, BL_SECRET_ROOM, bytes, sizeof bytes,
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    sodium_memzero(bytes, sizeof bytes);
}

void bl_secret_hash(const char *secret, unsigned char out[BL_SECRET_HASH_BYTES])
{
    crypto_generichash(out, BL_SECRET_HASH_BYTES, (const unsigned char *)secret, strlen(secret),
                       NULL, 0);
}

bool bl_secret_is(const unsigned char *hash, const unsigned char *other)
{
    return sodium_memcmp(hash, other, BL_SECRET_HASH_BYTES) == 0;
}
