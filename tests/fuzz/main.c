/* Runs a fuzz target on every file of a folder and prints TAP. */
#include "fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { INPUT_BYTES_MAX = 1024 * 1024 };

static void run_file(const char *folder, const char *name)
{
    static uint8_t bytes[INPUT_BYTES_MAX];
    char path[4096];
    FILE *file;
    size_t length;
    uint8_t *exact;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rbe");
    if (!file) {
        perror(path);
        exit(1);
    }
    length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    /* In memory of its own length, so that a read past the end is seen. */
    exact = malloc(length ? length : 1);
    for (size_t i = 0; i < length; i++) {
        exact[i] = bytes[i];
    }
    LLVMFuzzerTestOneInput(exact, length);
    free(exact);
}

int main(int argc, char **argv)
{
    struct dirent **entry = NULL;
    int count = argc == 2 ? scandir(argv[1], &entry, NULL, alphasort) : -1;
    int number = 0;

    if (count < 0) {
        fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    for (int i = 0; i < count; i++) {
        if (entry[i]->d_name[0] != '.') {
            run_file(argv[1], entry[i]->d_name);
            printf("ok %d - %s is read or refused\n", ++number, entry[i]->d_name);
        }
        free(entry[i]);
    }
    free(entry);
    printf("1..%d\n", number);
    return number ? 0 : 1;
}
