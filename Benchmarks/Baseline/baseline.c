// The work of the benchmarks, done by a C program on libcurl's multi interface: what the Swift contenders are held against.
//
//     baseline get URL COUNT IN_FLIGHT CA_FILE    small documents, gathered in memory
//     baseline download URL COUNT 1 TO_FILE       large ones, written to a file
//     baseline upload URL COUNT 1 FROM_FILE       a file, sent
//
// A file that is not wanted is written as a dash: then the certificates are the system's, and what is downloaded is dropped.
//
// It prints the seconds that the work took and the most memory that the process held, in KiB. Anything that goes wrong, a
// status other than 200 included, ends it with 1: a contender that skips work must not win.
//
// One thread; curl_multi_perform and curl_multi_poll; easy handles that are used again, and with them their buffers.

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct work {
    enum { GET, DOWNLOAD, UPLOAD } kind;
    const char *url;
    long count;
    long in_flight;
    const char *file;  // NULL if there is none.
};

struct transfer {
    CURL *easy;
    FILE *file;       // Written by a download, read by an upload.
    char *body;       // What a get has gathered.
    size_t capacity;  // Kept from use to use, like the handle.
    size_t length;    // Bytes that came with the response, wherever they went.
    char *head;       // The lines of its head.
    size_t head_capacity;
    size_t head_length;
};

static _Noreturn void fail(const char *what, const char *why) {
    fprintf(stderr, "baseline: %s: %s\n", what, why);
    exit(1);
}

static void check(CURLcode code, const char *what) {
    if (code != CURLE_OK) fail(what, curl_easy_strerror(code));
}

static void check_multi(CURLMcode code, const char *what) {
    if (code != CURLM_OK) fail(what, curl_multi_strerror(code));
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

// The most memory that this process has held since it was loaded. getrusage would count what was before exec, too.
static long peak_in_kib(void) {
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long peak = 0;
    if (status == NULL) return 0;
    while (fgets(line, sizeof line, status) != NULL && sscanf(line, "VmHWM: %ld", &peak) != 1) {}
    fclose(status);
    return peak;
}

// MARK: What becomes of bytes

static size_t gather(char *bytes, size_t size, size_t number, void *context) {
    struct transfer *transfer = context;
    size_t count = size * number;
    if (transfer->length + count > transfer->capacity) {
        transfer->capacity = 2 * (transfer->length + count);
        transfer->body = realloc(transfer->body, transfer->capacity);
        if (transfer->body == NULL) return 0;
    }
    memcpy(transfer->body + transfer->length, bytes, count);
    transfer->length += count;
    return count;
}

// The fields of a response are part of what a client hands over.
static size_t gather_head(char *bytes, size_t size, size_t number, void *context) {
    struct transfer *transfer = context;
    size_t count = size * number;
    if (transfer->head_length + count > transfer->head_capacity) {
        transfer->head_capacity = 2 * (transfer->head_length + count);
        transfer->head = realloc(transfer->head, transfer->head_capacity);
        if (transfer->head == NULL) return 0;
    }
    memcpy(transfer->head + transfer->head_length, bytes, count);
    transfer->head_length += count;
    return count;
}

static size_t store(char *bytes, size_t size, size_t number, void *context) {
    struct transfer *transfer = context;
    size_t count = size * number;
    if (transfer->file != NULL && fwrite(bytes, 1, count, transfer->file) != count) return 0;
    transfer->length += count;
    return count;
}

static size_t supply(char *bytes, size_t size, size_t number, void *context) {
    struct transfer *transfer = context;
    return fread(bytes, size, number, transfer->file);
}

// MARK: A transfer

static void set_up(struct transfer *transfer, const struct work *work) {
    CURL *easy = transfer->easy = curl_easy_init();
    if (easy == NULL) fail("curl_easy_init", "no handle");
    check(curl_easy_setopt(easy, CURLOPT_PRIVATE, transfer), "PRIVATE");
    check(curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L), "NOSIGNAL");
    check(curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, work->kind == DOWNLOAD ? store : gather), "WRITEFUNCTION");
    check(curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer), "WRITEDATA");
    check(curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, gather_head), "HEADERFUNCTION");
    check(curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer), "HEADERDATA");
    if (work->kind == GET) check(curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, ""), "ACCEPT_ENCODING");
    if (work->kind == GET && work->file != NULL) check(curl_easy_setopt(easy, CURLOPT_CAINFO, work->file), "CAINFO");
    // The largest buffers that libcurl gives: fewer calls for large bodies.
    if (work->kind == DOWNLOAD) check(curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, 512L * 1024), "BUFFERSIZE");
    if (work->kind == UPLOAD) {
        struct stat about;
        if (work->file == NULL || stat(work->file, &about) != 0) fail("upload", "there is no file to send");
        check(curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L), "UPLOAD");
        check(curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, 512L * 1024), "UPLOAD_BUFFERSIZE");
        check(curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)about.st_size), "INFILESIZE_LARGE");
        check(curl_easy_setopt(easy, CURLOPT_READFUNCTION, supply), "READFUNCTION");
        check(curl_easy_setopt(easy, CURLOPT_READDATA, transfer), "READDATA");
    }
}

static void begin(struct transfer *transfer, const struct work *work, CURLM *multi) {
    transfer->length = 0;
    transfer->head_length = 0;
    // A client's requests differ, so each brings its own address.
    check(curl_easy_setopt(transfer->easy, CURLOPT_URL, work->url), "URL");
    if (work->kind != GET && work->file != NULL) {
        transfer->file = fopen(work->file, work->kind == UPLOAD ? "rb" : "wb");
        if (transfer->file == NULL) fail(work->file, "cannot be opened");
        setvbuf(transfer->file, NULL, _IONBF, 0);  // libcurl's pieces are larger than a buffer in between.
    }
    check_multi(curl_multi_add_handle(multi, transfer->easy), "curl_multi_add_handle");
}

static void finish(struct transfer *transfer, const struct work *work, CURLM *multi, CURLcode result) {
    long status = 0;
    check(result, work->url);
    check(curl_easy_getinfo(transfer->easy, CURLINFO_RESPONSE_CODE, &status), "RESPONSE_CODE");
    if (status != 200) fail(work->url, "the status is not 200");
    if (transfer->length == 0 && work->kind != UPLOAD) fail(work->url, "there is no body");
    if (work->kind == UPLOAD && fgetc(transfer->file) != EOF) fail(work->url, "the file was not sent to its end");
    if (transfer->file != NULL && fclose(transfer->file) != 0) fail(work->file, "cannot be closed");
    transfer->file = NULL;
    check_multi(curl_multi_remove_handle(multi, transfer->easy), "curl_multi_remove_handle");
}

// MARK: All of them

// Makes `count` transfers, so that always as many are under way as there may be.
static void run(CURLM *multi, struct transfer *transfers, const struct work *work, long count) {
    long begun = 0, finished = 0;
    for (; begun < count && begun < work->in_flight; begun++) begin(&transfers[begun], work, multi);
    while (finished < count) {
        int running = 0, waiting = 0;
        CURLMsg *message;
        check_multi(curl_multi_perform(multi, &running), "curl_multi_perform");
        while ((message = curl_multi_info_read(multi, &waiting)) != NULL) {
            struct transfer *transfer = NULL;
            if (message->msg != CURLMSG_DONE) continue;
            check(curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&transfer), "PRIVATE");
            finish(transfer, work, multi, message->data.result);
            finished++;
            if (begun < count) {
                begin(transfer, work, multi);
                begun++;
            }
        }
        if (finished < count) check_multi(curl_multi_poll(multi, NULL, 0, 1000, NULL), "curl_multi_poll");
    }
}

int main(int argc, char **argv) {
    struct work work = {.kind = GET};
    if (argc != 6) fail("usage", "baseline get|download|upload URL COUNT IN_FLIGHT FILE");
    if (strcmp(argv[1], "download") == 0) work.kind = DOWNLOAD;
    else if (strcmp(argv[1], "upload") == 0) work.kind = UPLOAD;
    else if (strcmp(argv[1], "get") != 0) fail(argv[1], "no such work");
    work.url = argv[2];
    work.count = atol(argv[3]);
    work.in_flight = atol(argv[4]);
    work.file = strcmp(argv[5], "-") == 0 ? NULL : argv[5];
    if (work.count < 1 || work.in_flight < 1) fail("usage", "the counts are at least 1");

    check(curl_global_init(CURL_GLOBAL_DEFAULT), "curl_global_init");
    CURLM *multi = curl_multi_init();
    struct transfer *transfers = calloc((size_t)work.in_flight, sizeof *transfers);
    if (multi == NULL || transfers == NULL) fail("memory", "none left");
    for (long i = 0; i < work.in_flight; i++) set_up(&transfers[i], &work);

    if (work.kind == GET) run(multi, transfers, &work, (work.count + 9) / 10);  // Warms up: connections, caches.
    double began = now();
    run(multi, transfers, &work, work.count);
    printf("%.6f %ld\n", now() - began, peak_in_kib());

    for (long i = 0; i < work.in_flight; i++) {
        curl_easy_cleanup(transfers[i].easy);
        free(transfers[i].body);
        free(transfers[i].head);
    }
    free(transfers);
    curl_multi_cleanup(multi);
    curl_global_cleanup();
    return 0;
}
