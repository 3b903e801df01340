#include "ccurl_gzip.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "zlib_abi.h"

static struct {
    const char *(*version)(void);
    int (*init)(struct zlib_stream *, int level, int method, int window, int memory, int strategy, const char *, int);
    int (*deflate)(struct zlib_stream *, int flush);
    int (*end)(struct zlib_stream *);
} zlib;

static const char *problem;
static char problem_text[128];

static void find(void *library, void **function, const char *name) {
    *function = dlsym(library, name);
    if (*function == NULL && problem == NULL) {
        snprintf(problem_text, sizeof problem_text, "libz.so.1 has no %s", name);
        problem = problem_text;
    }
}

static void load(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        problem = "libz.so.1 cannot be loaded; install zlib (zlib1g on Debian and Ubuntu)";
        return;
    }
    find(library, (void **)&zlib.version, "zlibVersion");
    find(library, (void **)&zlib.init, "deflateInit2_");
    find(library, (void **)&zlib.deflate, "deflate");
    find(library, (void **)&zlib.end, "deflateEnd");
    if (problem == NULL && zlib.version()[0] != '1') problem = "libz.so.1 is another zlib than 1";
}

const char *ccurl_gzip_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem;
}

int ccurl_gzip(const unsigned char *bytes, size_t count, int level, ccurl_gzip_sink sink, void *context) {
    enum { LARGEST_INPUT = 1 << 30 };  // zlib counts a piece of input with an unsigned int.
    unsigned char output[16384];
    struct zlib_stream stream;
    memset(&stream, 0, sizeof stream);
    if (level < 0 || level > 9) return 0;
    int code = zlib.init(&stream, level, ZLIB_DEFLATED, ZLIB_MAX_WINDOW_BITS + ZLIB_GZIP, ZLIB_MEMORY_LEVEL,
                         ZLIB_DEFAULT_STRATEGY, zlib.version(), (int)sizeof stream);
    if (code != ZLIB_OK) return 0;
    do {
        if (stream.avail_in == 0 && count > 0) {
            size_t piece = count < LARGEST_INPUT ? count : LARGEST_INPUT;
            stream.next_in = bytes;
            stream.avail_in = (unsigned)piece;
            bytes += piece;
            count -= piece;
        }
        stream.next_out = output;
        stream.avail_out = sizeof output;
        code = zlib.deflate(&stream, count == 0 ? ZLIB_FINISH : ZLIB_NO_FLUSH);
        if (code == ZLIB_OK || code == ZLIB_STREAM_END) sink(context, output, sizeof output - stream.avail_out);
    } while (code == ZLIB_OK);
    zlib.end(&stream);
    return code == ZLIB_STREAM_END;
}
