#include "bl_test.h"
#include "engine/local_progress.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct place {
    char directory[64];
    char file[96];
};

static struct place make_place(void)
{
    struct place place = {.directory = "/tmp/baleen-progress-XXXXXX"};

    assert_non_null(mkdtemp(place.directory));
    snprintf(place.file, sizeof place.file, "%s/progress", place.directory);
    return place;
}

static void put(const struct place *place, const char *text)
{
    FILE *file = fopen(place->file, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void remove_place(const struct place *place)
{
    unlink(place->file);
    rmdir(place->directory);
}

static void what_a_job_says_is_read_once(void **state)
{
    struct place place = make_place();
    struct bl_local_progress seen = {0};
    struct bl_progress_report said = {0};

    (void)state;
    assert_false(bl_local_progress_read(&seen, place.directory, &said));
    put(&place, "3/10\n");
    assert_true(bl_local_progress_read(&seen, place.directory, &said));
    assert_true(said.done == 3 && said.total == 10);
    assert_false(bl_local_progress_read(&seen, place.directory, &said));
    put(&place, "3/10\n4/10 rate=2\n");
    assert_true(bl_local_progress_read(&seen, place.directory, &said));
    assert_true(said.done == 4 && said.observation.rate == 2);
    remove_place(&place);
}

static void what_the_attempt_before_left_is_not_said_again(void **state)
{
    struct place place = make_place();
    struct bl_local_progress seen = {0};
    struct bl_progress_report said = {0};

    (void)state;
    put(&place, "3/10\n");
    bl_local_progress_skip(&seen, place.directory);
    assert_false(bl_local_progress_read(&seen, place.directory, &said));
    remove_place(&place);
}

/* The end of a long file, and nothing that is no plain file: a pipe would block, a link lead away.
 */
static void the_file_is_its_users_and_not_trusted(void **state)
{
    struct place place = make_place();
    struct bl_local_progress seen = {0};
    struct bl_progress_report said = {0};
    FILE *file = fopen(place.file, "w");

    (void)state;
    assert_non_null(file);
    for (int i = 1; i <= 5000; i++) {
        fprintf(file, "%d/5000\n", i);
    }
    fclose(file);
    assert_true(bl_local_progress_read(&seen, place.directory, &said));
    assert_true(said.done == 5000);
    unlink(place.file);
    assert_int_equal(mkfifo(place.file, 0600), 0);
    assert_false(bl_local_progress_read(&seen, place.directory, &said));
    unlink(place.file);
    assert_int_equal(symlink("/etc/passwd", place.file), 0);
    assert_false(bl_local_progress_read(&seen, place.directory, &said));
    remove_place(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_job_says_is_read_once),
        cmocka_unit_test(what_the_attempt_before_left_is_not_said_again),
        cmocka_unit_test(the_file_is_its_users_and_not_trusted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
