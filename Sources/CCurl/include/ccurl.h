// libcurl without its headers: the functions and numbers that CurlTransport needs, found in libcurl.so.4 at run time.
//
// The numbers are part of libcurl's ABI. Where its headers are installed, assertions.c compares all of them.

#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

// What the event loop waits with; the toolchain's module of the C library leaves these headers out.
#if defined(__linux__)
#include <sys/epoll.h>
#include <sys/eventfd.h>
#endif

#include "ccurl_constants.h"
#include "ccurl_digest.h"
#include "ccurl_gzip.h"
#include "ccurl_openssl.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef void *ccurl_easy;
typedef void *ccurl_multi;
typedef void *ccurl_url;

/// A node of libcurl's lists of strings. The caller owns it and its text.
struct ccurl_list {
    char *text;
    struct ccurl_list *next;
};

/// Loads the library, once; later calls tell the first one's result.
///
/// Returns NULL if it can be used, else what is in the way.
const char *ccurl_load(void);

/// The version that was loaded, as 0xXXYYZZ, and in words.
unsigned ccurl_version_number(void);
const char *ccurl_version(void);

/// What it was built with: bits like CCURL_VERSION_LIBZ.
int ccurl_features(void);

/// Names the calling thread, for debuggers; 15 characters at most.
void ccurl_name_thread(const char *name);

ccurl_easy ccurl_easy_create(void);
void ccurl_easy_free(ccurl_easy easy);
int ccurl_easy_pause(ccurl_easy easy, int what);
const char *ccurl_easy_text(int code);

/// A URL that is taken apart (CURLU), for CCURL_OPT_CURLU; its parts are set to texts, which libcurl copies, or to NULL. Setting
/// a part tells 0 if it was taken.
ccurl_url ccurl_url_create(void);
void ccurl_url_free(ccurl_url url);
int ccurl_url_set(ccurl_url url, int part, const char *text, unsigned flags);

/// Bytes over a connection that libcurl made and left alone (CCURL_OPT_CONNECT_ONLY), and its socket; -1 if there is none.
int ccurl_easy_send(ccurl_easy easy, const void *bytes, size_t count, size_t *sent);
int ccurl_easy_recv(ccurl_easy easy, void *buffer, size_t size, size_t *received);
int ccurl_easy_socket(ccurl_easy easy);

int ccurl_easy_set_long(ccurl_easy easy, int option, long value);
int ccurl_easy_set_offset(ccurl_easy easy, int option, int64_t value);
/// For strings, which libcurl copies, and for pointers, which it keeps.
int ccurl_easy_set_pointer(ccurl_easy easy, int option, const void *value);
/// For bytes, which libcurl copies.
int ccurl_easy_set_bytes(ccurl_easy easy, int option, const void *bytes, size_t count);

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, int64_t offset, int origin);
typedef int (*ccurl_before_request_callback)(void *context, char *remote, char *local, int remote_port, int local_port);
/// Opens a socket for an address, whose first three fields are family, type and protocol.
typedef int (*ccurl_open_socket_callback)(void *context, int purpose, const int *address);
typedef int (*ccurl_close_socket_callback)(void *context, int descriptor);
typedef int (*ccurl_progress_callback)(void *context, int64_t to_receive, int64_t received, int64_t to_send, int64_t sent);
typedef int (*ccurl_tls_callback)(ccurl_easy easy, void *tls_context, void *context);

int ccurl_easy_set_data_callback(ccurl_easy easy, int option, ccurl_data_callback callback);
int ccurl_easy_set_seek_callback(ccurl_easy easy, ccurl_seek_callback callback);
int ccurl_easy_set_before_request_callback(ccurl_easy easy, ccurl_before_request_callback callback);
int ccurl_easy_set_socket_callbacks(ccurl_easy easy, ccurl_open_socket_callback open, ccurl_close_socket_callback close);
int ccurl_easy_set_progress_callback(ccurl_easy easy, ccurl_progress_callback callback);
int ccurl_easy_set_tls_callback(ccurl_easy easy, ccurl_tls_callback callback);

/// Facts of a transfer; 0 or NULL where there is none.
long ccurl_easy_long(ccurl_easy easy, int info);
int64_t ccurl_easy_offset(ccurl_easy easy, int info);
const char *ccurl_easy_string(ccurl_easy easy, int info);

typedef int (*ccurl_socket_callback)(ccurl_easy easy, int descriptor, int what, void *context, void *assigned);
typedef int (*ccurl_timer_callback)(ccurl_multi multi, long milliseconds, void *context);

ccurl_multi ccurl_multi_create(void);
int ccurl_multi_free(ccurl_multi multi);
int ccurl_multi_set_long(ccurl_multi multi, int option, long value);
int ccurl_multi_set_socket_callback(ccurl_multi multi, ccurl_socket_callback callback, void *context);
int ccurl_multi_set_timer_callback(ccurl_multi multi, ccurl_timer_callback callback, void *context);
int ccurl_multi_add(ccurl_multi multi, ccurl_easy easy);
int ccurl_multi_remove(ccurl_multi multi, ccurl_easy easy);
int ccurl_multi_assign(ccurl_multi multi, int descriptor, void *value);
int ccurl_multi_act(ccurl_multi multi, int descriptor, int events);
const char *ccurl_multi_text(int code);

/// The next transfer that has ended, with its result; NULL if there is none.
ccurl_easy ccurl_multi_next_ended(ccurl_multi multi, int *code);

#if defined(__cplusplus)
}
#endif

#endif
