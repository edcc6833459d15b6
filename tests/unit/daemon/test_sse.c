#include "bl_test.h"
#include "daemon/http.h"
#include "daemon/sse.h"
#include "os/loop.h"

#include <stdio.h>
#include <string.h>

/* A reader as the server would have it; stands in for the HTTP server. */
struct bl_request {
    struct bl_stream stream;
    int wakes;
};

void bl_request_stream(struct bl_request *request, const struct bl_stream *stream)
{
    request->stream = *stream;
}

void bl_request_wake(struct bl_request *request)
{
    request->wakes++;
}

/* Reads until nothing comes any more, `room` bytes at a time. */
static void read_all(struct bl_request *request, size_t room, struct bl_buf *out)
{
    char bytes[4096];
    size_t length;

    assert_true(room <= sizeof bytes);
    while ((length = request->stream.read(request->stream.self, bytes, room)) > 0) {
        bl_buf_append(out, bytes, length);
    }
}

static void push(struct bl_sse *sse, int64_t seq, const char *data)
{
    BL_AUTO_BUF text = {0};

    bl_buf_append_text(&text, data);
    bl_sse_push(sse, seq, "upsert", &text);
}

struct scene {
    struct bl_loop *loop;
    struct bl_sse *sse;
    struct bl_request reader;
};

static void scene_open(struct scene *scene)
{
    *scene = (struct scene){.loop = bl_loop_create()};
    scene->sse = bl_sse_create(scene->loop);
    assert_false(bl_sse_has_readers(scene->sse));
    bl_sse_open(scene->sse, &scene->reader, (struct bl_sse_start){.now = 0, .since = -1});
    assert_true(bl_sse_has_readers(scene->sse));
}

static void scene_close(struct scene *scene)
{
    scene->reader.stream.finish(scene->reader.stream.self);
    assert_true(bl_sse_has_readers(scene->sse)); /* it may come back */
    bl_sse_destroy(scene->sse);
    bl_loop_destroy(scene->loop);
}

static void a_reader_gets_what_comes_after_it_in_order_however_small_its_bites(void **state)
{
    static const char expected[] = "id: 0\n:\n\n"
                                   "id: 7\nevent: upsert\ndata: {\"a\":1}\n\n"
                                   "id: 9\nevent: upsert\ndata: {\"b\":2}\n\n";

    (void)state;
    for (size_t room = 1; room < 100; room += 7) {
        struct scene scene;
        BL_AUTO_BUF seen = {0};

        scene_open(&scene);
        read_all(&scene.reader, room, &seen);
        push(scene.sse, 7, "{\"a\":1}");
        push(scene.sse, 9, "{\"b\":2}");
        assert_int_equal(scene.reader.wakes, 2);
        read_all(&scene.reader, room, &seen);
        assert_string_equal(bl_buf_text(&seen), expected);
        scene_close(&scene);
    }
}

static void a_reader_that_falls_behind_is_told_to_read_the_lists_again(void **state)
{
    struct scene scene;
    BL_AUTO_BUF seen = {0};
    char first[8] = "";

    (void)state;
    scene_open(&scene);
    read_all(&scene.reader, 4096, &seen);
    bl_buf_clear(&seen);
    push(scene.sse, 1, "{\"first\":1}");
    assert_int_equal(scene.reader.stream.read(scene.reader.stream.self, first, 6), 6);
    for (int i = 0; i <= BL_SSE_MESSAGES_MAX; i++) {
        push(scene.sse, 2 + i, "{}");
    }
    read_all(&scene.reader, 4096, &seen);
    /* what it was in the middle of comes to its end, then the notice, then nothing */
    assert_memory_equal(first, "id: 1\n", 6);
    assert_string_equal(bl_buf_text(&seen), "event: upsert\ndata: {\"first\":1}\n\n"
                                            "id: 16386\nevent: resync\ndata: {}\n\n");
    push(scene.sse, 20000, "{\"news\":1}");
    bl_buf_clear(&seen);
    read_all(&scene.reader, 4096, &seen);
    assert_string_equal(bl_buf_text(&seen), "id: 20000\nevent: upsert\ndata: {\"news\":1}\n\n");
    scene_close(&scene);
}

static void large_messages_take_no_more_memory_than_the_ceiling(void **state)
{
    struct scene scene;
    BL_AUTO_BUF large = {0};
    BL_AUTO_BUF seen = {0};

    (void)state;
    scene_open(&scene);
    for (int i = 0; i < BL_SSE_BYTES_MAX / 8; i++) {
        bl_buf_append_char(&large, 'x');
    }
    for (int i = 1; i <= 20; i++) {
        bl_sse_push(scene.sse, i, "upsert", &large);
    }
    read_all(&scene.reader, 4096, &seen);
    assert_string_equal(bl_buf_text(&seen), "id: 0\n:\n\nid: 20\nevent: resync\ndata: {}\n\n");
    scene_close(&scene);
}

/* What a reader that comes back with the number `since` is sent. */
static void read_since(struct scene *scene, int64_t since, struct bl_buf *out)
{
    struct bl_request again = {0};

    bl_buf_clear(out);
    bl_sse_open(scene->sse, &again, (struct bl_sse_start){.now = 9, .since = since});
    read_all(&again, 4096, out);
    again.stream.finish(again.stream.self);
}

static void a_reader_that_comes_back_gets_what_it_missed_or_is_told_to_read_the_lists(void **state)
{
    static const struct {
        int64_t since;
        const char *expected;
    } rows[] = {
        {0, "id: 0\n:\n\n"
            "id: 7\nevent: upsert\ndata: 1\n\nid: 7\nevent: upsert\ndata: 2\n\n"
            "id: 9\nevent: upsert\ndata: 3\n\n"},
        {7, "id: 7\n:\n\n"
            "id: 7\nevent: upsert\ndata: 1\n\nid: 7\nevent: upsert\ndata: 2\n\n"
            "id: 9\nevent: upsert\ndata: 3\n\n"},
        {8, "id: 8\n:\n\nid: 9\nevent: upsert\ndata: 3\n\n"},
        {10, "id: 10\n:\n\nid: 9\nevent: resync\ndata: {}\n\n"},
        {INT64_MAX, "id: 9223372036854775807\n:\n\nid: 9\nevent: resync\ndata: {}\n\n"},
    };
    struct scene scene;
    BL_AUTO_BUF seen = {0};

    (void)state;
    scene_open(&scene);
    push(scene.sse, 7, "1");
    push(scene.sse, 7, "2");
    push(scene.sse, 9, "3");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        read_since(&scene, rows[i].since, &seen);
        assert_string_equal(bl_buf_text(&seen), rows[i].expected);
    }
    for (int i = 0; i < BL_SSE_MESSAGES_MAX; i++) {
        push(scene.sse, 10 + i, "{}");
    }
    read_since(&scene, 9, &seen);
    assert_string_equal(bl_buf_text(&seen), "id: 9\n:\n\nid: 16393\nevent: resync\ndata: {}\n\n");
    scene_close(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_gets_what_comes_after_it_in_order_however_small_its_bites),
        cmocka_unit_test(a_reader_that_falls_behind_is_told_to_read_the_lists_again),
        cmocka_unit_test(a_reader_that_comes_back_gets_what_it_missed_or_is_told_to_read_the_lists),
        cmocka_unit_test(large_messages_take_no_more_memory_than_the_ceiling),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
