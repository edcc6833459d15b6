/* The table is made of tests/unit/daemon/page by src/daemon/page_embed.py. */
#include "daemon/page.h"

#include "bl_test.h"

#include <string.h>

static void each_file_is_found_at_its_path_and_nothing_else_is(void **state)
{
    static const struct {
        const char *path, *type; /* NULL: there is none */
    } rows[] = {
        {"/", "text/html; charset=utf-8"},
        {"/icon.svg", "image/svg+xml"},
        {"/assets/app-1a2b3c4d.js", "text/javascript; charset=utf-8"},
        {"/index.html", NULL},
        {"/assets/", NULL},
        {"/assets/app-1a2b3c4d.js/", NULL},
        {"/assets/../icon.svg", NULL},
        {"", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct bl_page_asset *asset = bl_page_find(bl_page_assets, rows[i].path);

        if (!asset != !rows[i].type || (asset && strcmp(asset->type, rows[i].type) != 0)) {
            fail_msg("'%s': %s", rows[i].path, asset ? asset->type : "not found");
        }
    }
}

static void a_file_unpacks_to_its_bytes(void **state)
{
    const struct bl_page_asset *asset = bl_page_find(bl_page_assets, "/assets/app-1a2b3c4d.js");
    BL_AUTO_BUF plain = {0};

    (void)state;
    bl_page_unpack(asset, &plain);
    assert_string_equal(bl_buf_text(&plain), "console.log(\"sample\");\n");
    assert_int_equal(plain.length, asset->length);
}

static void files_differ_in_their_tags_and_only_hashed_names_are_kept_for_ever(void **state)
{
    const struct bl_page_asset *index = bl_page_find(bl_page_assets, "/");
    const struct bl_page_asset *script = bl_page_find(bl_page_assets, "/assets/app-1a2b3c4d.js");

    (void)state;
    assert_string_not_equal(index->tag, script->tag);
    assert_true(bl_page_is_hashed(script));
    assert_false(bl_page_is_hashed(index));
}

static void gzip_is_sent_only_to_those_who_take_it(void **state)
{
    static const struct {
        const char *header;
        bool takes;
    } rows[] = {
        {NULL, false},
        {"", false},
        {"gzip", true},
        {"GZIP", true},
        {"gzip, deflate, br", true},
        {"br;q=1.0, gzip;q=0.8, *;q=0.1", true},
        {"deflate , x-gzip", true},
        {"*", true},
        {"identity", false},
        {"gzipped", false},
        {"notgzip", false},
        {"gzip;q=0", false},
        {"gzip; q=0.000", false},
        {"gzip;q=0.001", true},
        {"gzip;q=0, *", false},
        {"*, gzip;q=0", false},
        {"*;q=0", false},
        {", ,, ", false},
        {"gzip;q=", true},
        {";;;,gzip", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_page_takes_gzip(rows[i].header) != rows[i].takes) {
            fail_msg("'%s'", rows[i].header ? rows[i].header : "no header");
        }
    }
}

static void a_tag_is_found_in_a_list_by_the_whole_of_it(void **state)
{
    static const struct {
        const char *header;
        bool has;
    } rows[] = {
        {NULL, false},
        {"", false},
        {"\"a1\"", true},
        {"W/\"a1\"", true},
        {"\"b\", \"a1\"", true},
        {"\"b\",W/\"a1\" ", true},
        {"*", true},
        {"\"a\"", false},
        {"\"a12\"", false},
        {"a1", false},
        {"\"a1", false},
        {"W/", false},
        {"\"a1-gz\"", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (bl_page_has_tag(rows[i].header, "\"a1\"") != rows[i].has) {
            fail_msg("'%s'", rows[i].header ? rows[i].header : "no header");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_file_is_found_at_its_path_and_nothing_else_is),
        cmocka_unit_test(a_file_unpacks_to_its_bytes),
        cmocka_unit_test(files_differ_in_their_tags_and_only_hashed_names_are_kept_for_ever),
        cmocka_unit_test(gzip_is_sent_only_to_those_who_take_it),
        cmocka_unit_test(a_tag_is_found_in_a_list_by_the_whole_of_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
