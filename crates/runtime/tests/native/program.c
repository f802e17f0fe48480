/* Stands in for a compiled program. The first argument says what it does. */
#include <errno.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

typedef void *object;

extern object oxbow_cell_refill(int64_t size, char *site);
extern object oxbow_cell_large(int64_t size, char *site);
extern void oxbow_release(object);
extern object oxbow_array_make_i64(int64_t length, int64_t element);
extern object oxbow_bytes_create(int64_t length);
extern object oxbow_format_int(object format, int64_t value);
extern object oxbow_format_float(object format, double value);
extern object oxbow_string_concat(object a, object b);
extern int64_t oxbow_string_compare(object a, object b);
extern int64_t oxbow_io_write(int64_t descriptor, object bytes, int64_t pos, int64_t len);
extern int64_t oxbow_sys_argc(void);
extern object oxbow_sys_argv(int64_t index);
extern void oxbow_sys_exit(int64_t code) __attribute__((noreturn));
extern void oxbow_flush_ready(void);
extern char *oxbow_free_cells[65];

static int64_t length(object it) { return *(int64_t *)it; }

static object string(const char *text) {
    object it = oxbow_bytes_create((int64_t)strlen(text));
    memcpy((char *)it + 8, text, strlen(text));
    return it;
}

static int64_t print(object it) { return oxbow_io_write(1, it, 0, length(it)); }

/* What a library buffers, to be written at exit. */
static object buffered;

static int overflow_again, flush_again;

__attribute__((noinline)) static int64_t depth(int64_t n) {
    volatile char frame[64];
    frame[0] = (char)n;
    if (n == 0) return 0;
    return depth(n - 1) + 1 + (frame[0] - (char)n);
}

/* Allocates as compiled code does. */
static object inline_alloc(int64_t payload, int64_t header) {
    int64_t size = payload + 8;
    char *cell;
    if (size > 512) {
        cell = oxbow_cell_large(size, "native.c:1:1");
    } else if ((cell = oxbow_free_cells[size / 8])) {
        oxbow_free_cells[size / 8] = *(char **)cell;
    } else {
        cell = oxbow_cell_refill(size, "native.c:1:1");
    }
    *(int64_t *)cell = header;
    return cell + 8;
}

/* Two words, the second of them a pointer. */
#define LIST_HEADER ((INT64_C(2) << 51) | (INT64_C(2) << 46) | (INT64_C(1) << 40))

static int64_t list_sum(int64_t count) {
    int64_t *list = (int64_t *)1, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t *cell = inline_alloc(16, LIST_HEADER);
        cell[0] = i;
        cell[1] = (int64_t)list;
        list = cell;
    }
    for (int64_t *rest = list; rest != (int64_t *)1; rest = (int64_t *)rest[1]) sum += rest[0];
    oxbow_release(list);
    return sum;
}

void oxbow_program_main(void) {
    object mode = oxbow_sys_argv(1);
#define MODE(name) (oxbow_string_compare(mode, string(name)) == 0)
    if (MODE("hello")) {
        print(oxbow_string_concat(string("hello, "), string("world\n")));
    } else if (MODE("numbers")) {
        print(oxbow_format_int(string("%06d"), -42));
        print(string(" "));
        print(oxbow_format_float(string("%.3f"), 2.0 / 3));
        print(string("\n"));
    } else if (MODE("arguments")) {
        for (int64_t i = 2; i < oxbow_sys_argc(); i++) {
            print(oxbow_sys_argv(i));
            print(string("\n"));
        }
    } else if (MODE("exit")) {
        oxbow_sys_exit(7);
    } else if (MODE("deep")) {
        print(oxbow_format_int(string("%d"), depth(2000000)));
    } else if (MODE("overflow") || MODE("overflow-again")) {
        overflow_again = MODE("overflow-again");
        buffered = string("buffered\n");
        print(oxbow_format_int(string("%d"), depth(INT64_MAX)));
    } else if (MODE("fault")) {
        *(volatile int *)16 = 1;
    } else if (MODE("raise")) {
        raise(SIGSEGV);
    } else if (MODE("list")) {
        /* Ten times as much as fits the memory of the test: cells are used again. */
        int64_t sum = 0;
        for (int i = 0; i < 10; i++) sum += list_sum(1000000);
        print(oxbow_format_int(string("%d"), sum));
    } else if (MODE("exhaust") || MODE("exhaust-again")) {
        flush_again = MODE("exhaust-again");
        buffered = string("buffered\n");
        oxbow_flush_ready();
        for (;;) *(char *)inline_alloc(1 << 16, 0) = 1;
    } else if (MODE("huge")) {
        oxbow_array_make_i64(INT64_C(1) << 60, 0);
    } else if (MODE("print")) {
        for (int i = 0; i < 100; i++) {
            int64_t result = print(string("some text to be written to the pipe\n"));
            if (result < 0) oxbow_sys_exit(-result);
        }
    } else if (MODE("backtrace")) {
        void *frames[64];
        backtrace_symbols_fd(frames, backtrace(frames, 64), 1);
    }
}

void oxbow_program_flush(void) {
    if (flush_again) inline_alloc(INT64_C(1) << 40, 0);
    print(buffered);
}

void oxbow_program_stack_overflow(void) {
    if (overflow_again) depth(INT64_MAX);
    print(buffered);
}
