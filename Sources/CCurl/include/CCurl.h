#ifndef SWITCHBOARD_CCURL_H
#define SWITCHBOARD_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The types and numbers are libcurl's own. Its functions are not linked: these call them in the library once it is open.

/// Opens the library; NULL once it is open, otherwise why it cannot be used. Not to be called by two threads at once.
const char *cc_load(void);
/// The version of the library, and of what it uses for TLS, as it names them: `7.88.1` and `OpenSSL/3.0.17`.
const char *cc_version(void);
const char *cc_tls(void);

/// Receives what becomes of a request; `context` is the one given with it.
typedef struct {
  /// A line of a header, its end included. False ends the request.
  bool (*header)(void *context, const char *line, size_t length);
  /// A piece of the body as it was sent. False ends the request.
  bool (*body)(void *context, const uint8_t *bytes, size_t count);
  /// Fills in a piece of the request's body: the number of bytes, 0 at its end, -1 where there is nothing yet, -2 to end the request.
  long (*more)(void *context, uint8_t *bytes, size_t capacity);
  /// A connection stands, and the request is about to be sent over it. False ends the request with nothing sent.
  bool (*ready)(void *context, int local_port);
  /// A socket was opened for the request.
  void (*opened)(void *context, int socket);
  /// The server has refused the stream of the request without looking at it (RFC 9113, section 8.7); it is sent again.
  void (*refused)(void *context);
} cc_receiver;

/// A handle for one request, which reports to a receiver; NULL where there is no memory. Sockets are closed in child processes.
CURL *cc_request(const cc_receiver *receiver, void *context);
/// Has a handle that has done its work report to another context.
void cc_aim(CURL *request, void *context);
void cc_end(CURL *request);
/// Has a handle report refused streams of HTTP/2.
void cc_report_refusals(CURL *request);
/// False where the library does not accept it.
bool cc_set_number(CURL *request, CURLoption option, int64_t number);
bool cc_set_text(CURL *request, CURLoption option, const char *text);
/// The bytes stay the caller's, and there as long as the request.
bool cc_set_bytes(CURL *request, CURLoption option, const void *bytes, size_t count);
bool cc_set_lines(CURL *request, CURLoption option, struct curl_slist *lines);
/// The list with a line added; NULL where there is no memory, and the list is then as it was.
struct curl_slist *cc_add_line(struct curl_slist *lines, const char *line);
void cc_free_lines(struct curl_slist *lines);
/// Lets a body be received, and sent, again or not.
void cc_hold(CURL *request, bool receiving, bool sending);
/// The number that the library has for a request; 0 where it has none.
int64_t cc_number(CURL *request, CURLINFO info);
/// What the library says of the failure of a request, empty where it says nothing.
const char *cc_message(CURL *request);
/// The certificate that the server has shown, in PEM form; NULL where none was shown over a connection of this request's own.
const char *cc_certificate(CURL *request);

/// A set of requests, with their connections.
typedef struct cc_requests cc_requests;

/// A set without requests; NULL where that fails. Something to read at two descriptors, of which each may be -1, ends a wait, too.
cc_requests *cc_open(long idle_connections, int first, int second);
void cc_close(cc_requests *requests);
bool cc_add(cc_requests *requests, CURL *request);
void cc_remove(cc_requests *requests, CURL *request);
/// Does what is due by the time.
void cc_perform(cc_requests *requests);
/// The context of a request that is over, with its result; NULL where there is none.
void *cc_finished(cc_requests *requests, CURLcode *result);
/// Waits for so many milliseconds at most; sends and receives what is possible then. Returns 1 and 2, added, for the two descriptors.
int cc_wait(cc_requests *requests, int milliseconds);

/// Names the calling thread, for whoever looks at the process.
void cc_name_thread(const char *name);
/// A descriptor that can be read once it was written to; -1 where there is none.
int cc_bell(void);
/// Acknowledges at once what has arrived at a TCP socket.
void cc_acknowledge(int socket);
/// The local port of a socket; 0 where it has none.
int cc_local_port(int socket);

/// The ways in which a body may be compressed.
typedef enum { CC_GZIP, CC_DEFLATE, CC_BROTLI, CC_ZSTD } cc_packing;
typedef struct cc_unpacker cc_unpacker;

/// Whether such a body can be decompressed. To be called once the library is open.
bool cc_unpacks(cc_packing packing);
cc_unpacker *cc_unpack(cc_packing packing);
/// Takes bytes from the input and puts some into the output; moves the input, and returns the number put, or -1 where the body is
/// damaged. All input is used once it returns less than the capacity.
long cc_unpack_some(cc_unpacker *unpacker, const uint8_t **input, size_t *count, uint8_t *output, size_t capacity);
/// Whether what came is whole.
bool cc_unpacked(const cc_unpacker *unpacker);
void cc_unpack_end(cc_unpacker *unpacker);

#endif
