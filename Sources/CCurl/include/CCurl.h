#ifndef SWITCHBOARD_CCURL_H
#define SWITCHBOARD_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The types and constants are libcurl's own. Its functions are not linked: these call them in the library once it is
// open.

/// Opens the library; returns NULL, or the reason why it cannot be used. Not thread-safe.
const char *cc_load(void);
/// The version of the library and of its TLS library, as they report them: `7.88.1` and `OpenSSL/3.0.17`.
const char *cc_version(void);
const char *cc_tls(void);

/// Receives the events of a request; `context` is the one passed with it.
typedef struct {
  /// A header line with its end. False ends the request.
  bool (*header)(void *context, const char *line, size_t length);
  /// A piece of the body as sent. False ends the request.
  bool (*body)(void *context, const uint8_t *bytes, size_t count);
  /// Fills in a piece of the request's body: returns the number of bytes, 0 at its end, -1 if there is nothing yet, -2
  /// to end the request.
  long (*more)(void *context, uint8_t *bytes, size_t capacity);
  /// The connection is ready, and the request is about to be sent. False ends the request with nothing sent.
  bool (*ready)(void *context, int local_port);
  /// A socket was opened for the request.
  void (*opened)(void *context, int socket);
  /// The server has refused the stream of the request without processing it (RFC 9113, section 8.7); it is sent again.
  void (*refused)(void *context);
} cc_receiver;

/// A handle for one request, which reports to a receiver; NULL without memory. Its sockets are closed in child
/// processes.
CURL *cc_request(const cc_receiver *receiver, void *context);
/// Makes a finished handle report to another context.
void cc_aim(CURL *request, void *context);
void cc_end(CURL *request);
/// Makes a handle report refused HTTP/2 streams.
void cc_report_refusals(CURL *request);
/// False if the library does not support it.
bool cc_set_number(CURL *request, CURLoption option, int64_t number);
bool cc_set_text(CURL *request, CURLoption option, const char *text);
/// The bytes are not copied, and must live as long as the request.
bool cc_set_bytes(CURL *request, CURLoption option, const void *bytes, size_t count);
bool cc_set_lines(CURL *request, CURLoption option, struct curl_slist *lines);
/// The list with a line added; NULL without memory, and the list is then unchanged.
struct curl_slist *cc_add_line(struct curl_slist *lines, const char *line);
void cc_free_lines(struct curl_slist *lines);
/// Pauses or resumes the transfer of a body in either direction.
void cc_hold(CURL *request, bool receiving, bool sending);
/// A number about a request; 0 if it has none.
int64_t cc_number(CURL *request, CURLINFO info);
/// The library's message on the failure of a request; may be empty.
const char *cc_message(CURL *request);
/// The server's certificate in PEM form; NULL unless it was received over a connection of this request's own.
const char *cc_certificate(CURL *request);

/// A set of requests with their connections.
typedef struct cc_requests cc_requests;

/// An empty set; NULL on failure. Waits also end when one of two descriptors, each of which may be -1, is readable.
cc_requests *cc_open(long idle_connections, int first, int second);
void cc_close(cc_requests *requests);
bool cc_add(cc_requests *requests, CURL *request);
void cc_remove(cc_requests *requests, CURL *request);
/// Does the work that is due.
void cc_perform(cc_requests *requests);
/// The context of a finished request, with its result; NULL if there is none.
void *cc_finished(cc_requests *requests, CURLcode *result);
/// Waits at most so many milliseconds, and sends and receives meanwhile. Returns a sum of 1 and 2 for the two
/// descriptors.
int cc_wait(cc_requests *requests, int milliseconds);

/// Names the calling thread, for tools that inspect the process.
void cc_name_thread(const char *name);
/// An event descriptor, readable once it was written to; -1 on failure.
int cc_bell(void);
/// Acknowledges data of a TCP socket immediately.
void cc_acknowledge(int socket);
/// The local port of a socket; 0 if it has none.
int cc_local_port(int socket);

/// The ways in which a body may be compressed.
typedef enum { CC_GZIP, CC_DEFLATE, CC_BROTLI, CC_ZSTD } cc_packing;
typedef struct cc_unpacker cc_unpacker;

/// Returns whether such a body can be decompressed. To be called once the library is open.
bool cc_unpacks(cc_packing packing);
cc_unpacker *cc_unpack(cc_packing packing);
/// Decompresses input into the output; advances the input, and returns the number of bytes written, or -1 if the body
/// is damaged. All input is consumed once it returns less than the capacity.
long cc_unpack_some(cc_unpacker *unpacker, const uint8_t **input, size_t *count, uint8_t *output, size_t capacity);
/// Returns whether the data so far is complete.
bool cc_unpacked(const cc_unpacker *unpacker);
void cc_unpack_end(cc_unpacker *unpacker);

#endif
