#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE  // For pthread_setname_np().
#endif

#include "ccurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "library.h"

// The beginning of curl_version_info_data, which libcurl only ever adds to.
struct version_info {
    int age;
    const char *version;
    unsigned version_num;
    const char *host;
    int features;
    const char *ssl_version;
};

struct blob {
    const void *data;
    size_t length;
    unsigned flags;
};
enum { BLOB_COPY = 1 };

struct message {
    int kind;
    ccurl_easy easy;
    union {
        void *whatever;
        int result;
    } data;
};

static struct {
    int (*global_init)(long);
    struct version_info *(*version_info)(int);
    ccurl_easy (*easy_init)(void);
    void (*easy_cleanup)(ccurl_easy);
    int (*easy_pause)(ccurl_easy, int);
    int (*easy_send)(ccurl_easy, const void *, size_t, size_t *);
    int (*easy_recv)(ccurl_easy, void *, size_t, size_t *);
    const char *(*easy_strerror)(int);
    int (*easy_setopt)(ccurl_easy, int, ...);
    int (*easy_getinfo)(ccurl_easy, int, ...);
    ccurl_multi (*multi_init)(void);
    int (*multi_cleanup)(ccurl_multi);
    int (*multi_setopt)(ccurl_multi, int, ...);
    int (*multi_add_handle)(ccurl_multi, ccurl_easy);
    int (*multi_remove_handle)(ccurl_multi, ccurl_easy);
    int (*multi_assign)(ccurl_multi, int, void *);
    int (*multi_socket_action)(ccurl_multi, int, int, int *);
    struct message *(*multi_info_read)(ccurl_multi, int *);
    const char *(*multi_strerror)(int);
    ccurl_url (*url)(void);
    void (*url_cleanup)(ccurl_url);
    int (*url_set)(ccurl_url, int, const char *, unsigned);
} curl;

static void *library;
static struct version_info *info;
static const char *problem;
static char problem_text[256];

static void find(void **function, const char *name) {
    *function = dlsym(library, name);
    if (*function == NULL && problem == NULL) {
        snprintf(problem_text, sizeof problem_text, "libcurl.so.4 has no %s", name);
        problem = problem_text;
    }
}

#define FIND(name) find((void **)&curl.name, "curl_" #name)

static void load(void) {
    // 7.71 brought client certificates that are not files; the systems that Swift runs on have it.
    enum { OLDEST = 0x074700 };
    library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        problem = "libcurl.so.4 cannot be loaded; install libcurl (libcurl4 on Debian and Ubuntu)";
        return;
    }
    FIND(global_init);
    FIND(version_info);
    FIND(easy_init);
    FIND(easy_cleanup);
    FIND(easy_pause);
    FIND(easy_send);
    FIND(easy_recv);
    FIND(easy_strerror);
    FIND(easy_setopt);
    FIND(easy_getinfo);
    FIND(multi_init);
    FIND(multi_cleanup);
    FIND(multi_setopt);
    FIND(multi_add_handle);
    FIND(multi_remove_handle);
    FIND(multi_assign);
    FIND(multi_socket_action);
    FIND(multi_info_read);
    FIND(multi_strerror);
    FIND(url);
    FIND(url_cleanup);
    FIND(url_set);
    if (problem != NULL) return;
    info = curl.version_info(3);
    if (info->version_num < OLDEST) {
        snprintf(problem_text, sizeof problem_text, "libcurl is %s, and 7.71 is the oldest that is enough", info->version);
        problem = problem_text;
        return;
    }
    if (curl.global_init(CCURL_GLOBAL_DEFAULT) != CCURL_E_OK) problem = "libcurl cannot be initialised";
}

const char *ccurl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem;
}

void *ccurl_library(void) { return library; }
const char *ccurl_tls_library(void) { return info == NULL ? NULL : info->ssl_version; }
unsigned ccurl_version_number(void) { return info == NULL ? 0 : info->version_num; }
const char *ccurl_version(void) { return info == NULL ? "" : info->version; }

int ccurl_features(void) { return info == NULL ? 0 : info->features; }

void ccurl_name_thread(const char *name) {
#if defined(__linux__)
    pthread_setname_np(pthread_self(), name);
#else
    (void)name;
#endif
}

ccurl_easy ccurl_easy_create(void) { return curl.easy_init(); }
void ccurl_easy_free(ccurl_easy easy) { curl.easy_cleanup(easy); }
int ccurl_easy_pause(ccurl_easy easy, int what) { return curl.easy_pause(easy, what); }
const char *ccurl_easy_text(int code) { return curl.easy_strerror(code); }

ccurl_url ccurl_url_create(void) { return curl.url(); }
void ccurl_url_free(ccurl_url url) { curl.url_cleanup(url); }

int ccurl_url_set(ccurl_url url, int part, const char *text, unsigned flags) {
    return curl.url_set(url, part, text, flags);
}

int ccurl_easy_send(ccurl_easy easy, const void *bytes, size_t count, size_t *sent) {
    return curl.easy_send(easy, bytes, count, sent);
}

int ccurl_easy_recv(ccurl_easy easy, void *buffer, size_t size, size_t *received) {
    return curl.easy_recv(easy, buffer, size, received);
}

int ccurl_easy_socket(ccurl_easy easy) {
    int descriptor = -1;
    return curl.easy_getinfo(easy, CCURL_INFO_ACTIVESOCKET, &descriptor) == CCURL_E_OK ? descriptor : -1;
}

int ccurl_easy_set_long(ccurl_easy easy, int option, long value) { return curl.easy_setopt(easy, option, value); }

int ccurl_easy_set_offset(ccurl_easy easy, int option, int64_t value) { return curl.easy_setopt(easy, option, value); }

int ccurl_easy_set_pointer(ccurl_easy easy, int option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}

int ccurl_easy_set_bytes(ccurl_easy easy, int option, const void *bytes, size_t count) {
    struct blob blob = {bytes, count, BLOB_COPY};
    return curl.easy_setopt(easy, option, &blob);
}

int ccurl_easy_set_data_callback(ccurl_easy easy, int option, ccurl_data_callback callback) {
    return curl.easy_setopt(easy, option, callback);
}

int ccurl_easy_set_seek_callback(ccurl_easy easy, ccurl_seek_callback callback) {
    return curl.easy_setopt(easy, CCURL_OPT_SEEKFUNCTION, callback);
}

int ccurl_easy_set_before_request_callback(ccurl_easy easy, ccurl_before_request_callback callback) {
    return curl.easy_setopt(easy, CCURL_OPT_PREREQFUNCTION, callback);
}

int ccurl_easy_set_socket_callbacks(ccurl_easy easy, ccurl_open_socket_callback open, ccurl_close_socket_callback close) {
    int code = curl.easy_setopt(easy, CCURL_OPT_OPENSOCKETFUNCTION, open);
    return code == CCURL_E_OK ? curl.easy_setopt(easy, CCURL_OPT_CLOSESOCKETFUNCTION, close) : code;
}

int ccurl_easy_set_progress_callback(ccurl_easy easy, ccurl_progress_callback callback) {
    return curl.easy_setopt(easy, CCURL_OPT_XFERINFOFUNCTION, callback);
}

int ccurl_easy_set_tls_callback(ccurl_easy easy, ccurl_tls_callback callback) {
    return curl.easy_setopt(easy, CCURL_OPT_SSL_CTX_FUNCTION, callback);
}

long ccurl_easy_long(ccurl_easy easy, int which) {
    long value = 0;
    return curl.easy_getinfo(easy, which, &value) == CCURL_E_OK ? value : 0;
}

int64_t ccurl_easy_offset(ccurl_easy easy, int which) {
    int64_t value = 0;
    return curl.easy_getinfo(easy, which, &value) == CCURL_E_OK ? value : 0;
}

const char *ccurl_easy_string(ccurl_easy easy, int which) {
    const char *value = NULL;
    return curl.easy_getinfo(easy, which, &value) == CCURL_E_OK ? value : NULL;
}

ccurl_multi ccurl_multi_create(void) { return curl.multi_init(); }
int ccurl_multi_free(ccurl_multi multi) { return curl.multi_cleanup(multi); }

int ccurl_multi_set_long(ccurl_multi multi, int option, long value) { return curl.multi_setopt(multi, option, value); }

int ccurl_multi_set_socket_callback(ccurl_multi multi, ccurl_socket_callback callback, void *context) {
    int code = curl.multi_setopt(multi, CCURL_MOPT_SOCKETFUNCTION, callback);
    return code == 0 ? curl.multi_setopt(multi, CCURL_MOPT_SOCKETDATA, context) : code;
}

int ccurl_multi_set_timer_callback(ccurl_multi multi, ccurl_timer_callback callback, void *context) {
    int code = curl.multi_setopt(multi, CCURL_MOPT_TIMERFUNCTION, callback);
    return code == 0 ? curl.multi_setopt(multi, CCURL_MOPT_TIMERDATA, context) : code;
}

int ccurl_multi_add(ccurl_multi multi, ccurl_easy easy) { return curl.multi_add_handle(multi, easy); }
int ccurl_multi_remove(ccurl_multi multi, ccurl_easy easy) { return curl.multi_remove_handle(multi, easy); }

int ccurl_multi_assign(ccurl_multi multi, int descriptor, void *value) {
    return curl.multi_assign(multi, descriptor, value);
}

int ccurl_multi_act(ccurl_multi multi, int descriptor, int events) {
    int running = 0;
    return curl.multi_socket_action(multi, descriptor, events, &running);
}

const char *ccurl_multi_text(int code) { return curl.multi_strerror(code); }

ccurl_easy ccurl_multi_next_ended(ccurl_multi multi, int *code) {
    int left = 0;
    struct message *message;
    while ((message = curl.multi_info_read(multi, &left)) != NULL) {
        if (message->kind == CCURL_MSG_DONE) {
            *code = message->data.result;
            return message->easy;
        }
    }
    return NULL;
}
