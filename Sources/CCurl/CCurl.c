#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// In a file of its own for what is variadic: the macros that check types would name functions that are not linked.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define EACH_FUNCTION(use) \
  use(global_init) use(version_info) use(easy_init) use(easy_cleanup) use(easy_setopt) use(easy_getinfo) use(easy_pause) \
  use(multi_init) use(multi_cleanup) use(multi_setopt) use(multi_add_handle) use(multi_remove_handle) \
  use(multi_socket_action) use(multi_info_read) use(slist_append) use(slist_free_all)

static struct {
#define MEMBER(name) __typeof__(&curl_##name) name;
  EACH_FUNCTION(MEMBER)
  const curl_version_info_data *version;
} lib;

// The first one with which a request can be looked at before it is sent.
enum { oldest = 0x075000 };

const char *cc_load(void) {
  if (lib.version) return NULL;
  void *handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return "libcurl is not installed";
  bool is_whole = true;
#define FIND(name) is_whole = (lib.name = (__typeof__(lib.name))dlsym(handle, "curl_" #name)) && is_whole;
  EACH_FUNCTION(FIND)
  if (!is_whole || lib.global_init(CURL_GLOBAL_ALL) != CURLE_OK) return "the libcurl of this machine is too old";
  const curl_version_info_data *version = lib.version_info(CURLVERSION_NOW);
  if (version->version_num < oldest) return "the libcurl of this machine is too old";
  if (!(version->features & CURL_VERSION_SSL) || !version->ssl_version) return "the libcurl of this machine has no TLS";
  if (!strstr(version->ssl_version, "SSL")) return "the libcurl of this machine does not use OpenSSL";
  lib.version = version;
  return NULL;
}

const char *cc_version(void) { return lib.version ? lib.version->version : ""; }
const char *cc_tls(void) { return lib.version ? lib.version->ssl_version : ""; }

// MARK: Requests

static size_t take_header(char *bytes, size_t size, size_t count, void *context);
static size_t take_body(char *bytes, size_t size, size_t count, void *context);
static size_t give_body(char *bytes, size_t size, size_t count, void *context);
static int look(void *context, char *ip, char *local_ip, int port, int local_port);
static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address);

/// What the functions above are given: it lasts as long as the handle.
typedef struct {
  const cc_receiver *receiver;
  void *context;
  char message[CURL_ERROR_SIZE];
} call;

static call *call_of(CURL *request) {
  char *own = NULL;
  lib.easy_getinfo(request, CURLINFO_PRIVATE, &own);
  return (call *)own;
}

CURL *cc_request(const cc_receiver *receiver, void *context) {
  CURL *request = lib.easy_init();
  call *own = request ? malloc(sizeof *own) : NULL;
  if (!own) {
    if (request) lib.easy_cleanup(request);
    return NULL;
  }
  *own = (call){receiver, context, ""};
  lib.easy_setopt(request, CURLOPT_ERRORBUFFER, own->message);
  lib.easy_setopt(request, CURLOPT_PRIVATE, own);
  lib.easy_setopt(request, CURLOPT_HEADERFUNCTION, take_header);
  lib.easy_setopt(request, CURLOPT_HEADERDATA, own);
  lib.easy_setopt(request, CURLOPT_WRITEFUNCTION, take_body);
  lib.easy_setopt(request, CURLOPT_WRITEDATA, own);
  lib.easy_setopt(request, CURLOPT_READFUNCTION, give_body);
  lib.easy_setopt(request, CURLOPT_READDATA, own);
  lib.easy_setopt(request, CURLOPT_PREREQFUNCTION, look);
  lib.easy_setopt(request, CURLOPT_PREREQDATA, own);
  lib.easy_setopt(request, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  lib.easy_setopt(request, CURLOPT_OPENSOCKETDATA, own);
  return request;
}

void cc_aim(CURL *request, void *context) {
  call *own = call_of(request);
  own->context = context;
  own->message[0] = 0;
}

void cc_end(CURL *request) {
  call *own = call_of(request);
  lib.easy_cleanup(request);
  free(own);
}

static size_t take_header(char *bytes, size_t size, size_t count, void *context) {
  call *own = context;
  return own->receiver->header(own->context, bytes, size * count) ? size * count : 0;
}

static size_t take_body(char *bytes, size_t size, size_t count, void *context) {
  call *own = context;
  // Of nothing, any other number than 0 is a failure.
  return own->receiver->body(own->context, (const uint8_t *)bytes, size * count) ? size * count : size * count + 1;
}

static size_t give_body(char *bytes, size_t size, size_t count, void *context) {
  call *own = context;
  long given = own->receiver->more(own->context, (uint8_t *)bytes, size * count);
  return given == -1 ? CURL_READFUNC_PAUSE : given < 0 ? CURL_READFUNC_ABORT : (size_t)given;
}

static int look(void *context, char *ip, char *local_ip, int port, int local_port) {
  (void)ip, (void)local_ip, (void)port;
  call *own = context;
  return own->receiver->ready(own->context, local_port) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)purpose;
  call *own = context;
  int fd = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (fd >= 0) own->receiver->opened(own->context, fd);
  return fd < 0 ? CURL_SOCKET_BAD : fd;
}

/// Finds the library's only word on a refused stream: it reports no code, but sends again by itself.
static int find_refusal(CURL *request, curl_infotype type, char *text, size_t length, void *context) {
  static const char mark[] = "REFUSED_STREAM, retrying";
  (void)request;
  call *own = context;
  if (type == CURLINFO_TEXT && memmem(text, length, mark, sizeof mark - 1)) own->receiver->refused(own->context);
  return 0;
}

void cc_report_refusals(CURL *request) {
  lib.easy_setopt(request, CURLOPT_DEBUGFUNCTION, find_refusal);
  lib.easy_setopt(request, CURLOPT_DEBUGDATA, call_of(request));
  lib.easy_setopt(request, CURLOPT_VERBOSE, 1L);
}

bool cc_set_number(CURL *request, CURLoption option, int64_t number) {
  if (option >= CURLOPTTYPE_OFF_T) return lib.easy_setopt(request, option, (curl_off_t)number) == CURLE_OK;
  return lib.easy_setopt(request, option, (long)number) == CURLE_OK;
}

bool cc_set_text(CURL *request, CURLoption option, const char *text) {
  return lib.easy_setopt(request, option, text) == CURLE_OK;
}

bool cc_set_bytes(CURL *request, CURLoption option, const void *bytes, size_t count) {
  if (option == CURLOPT_POSTFIELDS) {
    return lib.easy_setopt(request, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count) == CURLE_OK &&
           lib.easy_setopt(request, CURLOPT_POSTFIELDS, bytes) == CURLE_OK;
  }
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return lib.easy_setopt(request, option, &blob) == CURLE_OK;
}

bool cc_set_lines(CURL *request, CURLoption option, struct curl_slist *lines) {
  return lib.easy_setopt(request, option, lines) == CURLE_OK;
}

struct curl_slist *cc_add_line(struct curl_slist *lines, const char *line) { return lib.slist_append(lines, line); }
void cc_free_lines(struct curl_slist *lines) { lib.slist_free_all(lines); }

void cc_hold(CURL *request, bool receiving, bool sending) {
  lib.easy_pause(request, (receiving ? CURLPAUSE_RECV : 0) | (sending ? CURLPAUSE_SEND : 0));
}

int64_t cc_number(CURL *request, CURLINFO info) {
  if ((info & CURLINFO_TYPEMASK) == CURLINFO_OFF_T) {
    curl_off_t number = 0;
    return lib.easy_getinfo(request, info, &number) == CURLE_OK ? number : 0;
  }
  long number = 0;
  return lib.easy_getinfo(request, info, &number) == CURLE_OK ? number : 0;
}

const char *cc_message(CURL *request) { return call_of(request)->message; }

const char *cc_certificate(CURL *request) {
  static const char mark[] = "Cert:";
  struct curl_certinfo *shown = NULL;
  if (lib.easy_getinfo(request, CURLINFO_CERTINFO, &shown) != CURLE_OK || !shown || shown->num_of_certs < 1) return NULL;
  for (struct curl_slist *line = shown->certinfo[0]; line; line = line->next) {
    if (strncmp(line->data, mark, sizeof mark - 1) == 0) return line->data + sizeof mark - 1;
  }
  return NULL;
}

// MARK: Sets of requests

/// Marks the descriptors that the library opens for itself: it leaves them open in child processes.
static CURLM *init_closed_on_exec(void) {
  enum { most = 64 };
  bool was_open[most] = {false};
  // The system gives out the lowest numbers that are free.
  int first = eventfd(0, EFD_CLOEXEC);
  if (first < 0) return NULL;
  close(first);
  for (int i = 0; i < most; i++) was_open[i] = fcntl(first + i, F_GETFD) >= 0;
  CURLM *requests = lib.multi_init();
  for (int i = 0; i < most; i++) {
    if (!was_open[i] && fcntl(first + i, F_GETFD) == 0) fcntl(first + i, F_SETFD, FD_CLOEXEC);
  }
  return requests;
}

struct cc_requests {
  CURLM *multi;
  /// The descriptor of the events that are waited for.
  int events;
  int first, second;
  /// When the library wants to be called, in milliseconds of the clock; -1 for never.
  int64_t due;
};

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static int watch(int events, int fd, uint32_t what) {
  struct epoll_event event = {.events = what, .data.fd = fd};
  if (epoll_ctl(events, EPOLL_CTL_MOD, fd, &event) == 0) return 0;
  return epoll_ctl(events, EPOLL_CTL_ADD, fd, &event);
}

static int on_socket(CURL *request, curl_socket_t fd, int what, void *context, void *own) {
  (void)request, (void)own;
  cc_requests *requests = context;
  if (what == CURL_POLL_REMOVE) {
    epoll_ctl(requests->events, EPOLL_CTL_DEL, fd, NULL);
    return 0;
  }
  return watch(requests->events, fd, (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0));
}

static int on_timer(CURLM *multi, long milliseconds, void *context) {
  (void)multi;
  ((cc_requests *)context)->due = milliseconds < 0 ? -1 : now() + milliseconds;
  return 0;
}

cc_requests *cc_open(long idle_connections, int first, int second) {
  cc_requests *requests = malloc(sizeof *requests);
  if (!requests) return NULL;
  *requests = (cc_requests){init_closed_on_exec(), epoll_create1(EPOLL_CLOEXEC), first, second, -1};
  if (!requests->multi || requests->events < 0) {
    cc_close(requests);
    return NULL;
  }
  lib.multi_setopt(requests->multi, CURLMOPT_MAXCONNECTS, idle_connections);
  lib.multi_setopt(requests->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  lib.multi_setopt(requests->multi, CURLMOPT_SOCKETDATA, requests);
  lib.multi_setopt(requests->multi, CURLMOPT_TIMERFUNCTION, on_timer);
  lib.multi_setopt(requests->multi, CURLMOPT_TIMERDATA, requests);
  if (first >= 0) watch(requests->events, first, EPOLLIN);
  if (second >= 0) watch(requests->events, second, EPOLLIN);
  return requests;
}

void cc_close(cc_requests *requests) {
  if (requests->multi) lib.multi_cleanup(requests->multi);
  if (requests->events >= 0) close(requests->events);
  free(requests);
}

bool cc_add(cc_requests *requests, CURL *request) { return lib.multi_add_handle(requests->multi, request) == CURLM_OK; }
void cc_remove(cc_requests *requests, CURL *request) { lib.multi_remove_handle(requests->multi, request); }

void cc_perform(cc_requests *requests) {
  int running;
  while (requests->due >= 0 && requests->due <= now()) {
    requests->due = -1;
    lib.multi_socket_action(requests->multi, CURL_SOCKET_TIMEOUT, 0, &running);
  }
}

void *cc_finished(cc_requests *requests, CURLcode *result) {
  int rest;
  CURLMsg *message;
  while ((message = lib.multi_info_read(requests->multi, &rest))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return call_of(message->easy_handle)->context;
  }
  return NULL;
}

int cc_wait(cc_requests *requests, int milliseconds) {
  enum { most = 64 };
  struct epoll_event ready[most];
  if (requests->due >= 0) {
    int64_t rest = requests->due - now();
    if (rest < milliseconds) milliseconds = rest < 0 ? 0 : (int)rest;
  }
  int found = 0, running, count = epoll_wait(requests->events, ready, most, milliseconds);
  for (int i = 0; i < count; i++) {
    int fd = ready[i].data.fd;
    if (fd == requests->first) {
      found |= 1;
    } else if (fd == requests->second) {
      found |= 2;
    } else {
      int what = (ready[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) | (ready[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                 (ready[i].events & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
      lib.multi_socket_action(requests->multi, fd, what, &running);
    }
  }
  return found;
}

// MARK: Sockets

void cc_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int cc_bell(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void cc_acknowledge(int socket) {
  int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_QUICKACK, &on, sizeof on);
}

int cc_local_port(int socket) {
  struct sockaddr_storage address;
  socklen_t length = sizeof address;
  if (getsockname(socket, (struct sockaddr *)&address, &length) != 0) return 0;
  if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
  if (address.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  return 0;
}
