// zlib's stream as its ABI has it since 1.2, and the few numbers that are needed.

#ifndef CCURL_ZLIB_ABI_H
#define CCURL_ZLIB_ABI_H

struct zlib_stream {
    const unsigned char *next_in;
    unsigned avail_in;
    unsigned long total_in;
    unsigned char *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *(*zalloc)(void *, unsigned, unsigned);
    void (*zfree)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

enum {
    ZLIB_OK = 0,
    ZLIB_STREAM_END = 1,
    ZLIB_NO_FLUSH = 0,
    ZLIB_FINISH = 4,
    ZLIB_DEFLATED = 8,
    ZLIB_DEFAULT_STRATEGY = 0,
    ZLIB_MAX_WINDOW_BITS = 15,
    /// Added to the window bits: the format of gzip and not zlib's own.
    ZLIB_GZIP = 16,
    /// The default.
    ZLIB_MEMORY_LEVEL = 8,
};

#endif
