#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <spawn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

// One terminal per process. Everything a handler reads is atomic or written only while `armed` is 0.
static struct termios saved;
static int terminal_fd = -1, output_fd = -1;
static bool paste_mode;
static atomic_int armed, resized, continued, wake_fd = -1;

// Signals that end a process: asked to end (only where nobody else listens), and those that Swift's own crash reports
// listen to (which then follow).
static const int endings[] = {SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
enum { ending_count = sizeof endings / sizeof *endings, first_crash = 3 };
static struct sigaction previous[ending_count], previous_winch, previous_cont;
static bool installed[ending_count], winch_installed, cont_installed;

void tg_restore(void) {
  if (!atomic_exchange(&armed, 0)) return;
  tcsetattr(terminal_fd, TCSANOW, &saved);
  const char *text = paste_mode ? "\033[?2004l\r\n" : "\r\n";
  ssize_t ignored = write(output_fd, text, strlen(text));
  (void)ignored;
}

static void on_ending(int number) {
  int error = errno;
  tg_restore();
  for (int i = 0; i < ending_count; i++)
    if (endings[i] == number) sigaction(number, &previous[i], NULL);
  // Blocked while this handler runs; arrives with the previous disposition as soon as it returns.
  raise(number);
  errno = error;
}

static void on_event(int number) {
  int error = errno;
  atomic_store(number == SIGWINCH ? &resized : &continued, 1);
  int wake = atomic_load(&wake_fd);
  if (wake >= 0) {
    ssize_t ignored = write(wake, "", 1);
    (void)ignored;
  }
  errno = error;
}

static bool install(int number, void (*handler)(int), bool always, struct sigaction *old) {
  struct sigaction ours = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
  sigfillset(&ours.sa_mask);
  if (sigaction(number, NULL, old) != 0) return false;
  bool vacant = !(old->sa_flags & SA_SIGINFO) && old->sa_handler == SIG_DFL;
  return (vacant || always) && sigaction(number, &ours, NULL) == 0;
}

static void withdraw(int number, void (*handler)(int), const struct sigaction *old) {
  struct sigaction now;
  if (sigaction(number, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == handler)
    sigaction(number, old, NULL);
}

void tg_install(int wake) {
  static bool at_exit;
  if (!at_exit) at_exit = atexit(tg_restore) == 0;
  atomic_store(&wake_fd, wake);
  for (int i = 0; i < ending_count; i++)
    if (!installed[i]) installed[i] = install(endings[i], on_ending, i >= first_crash, &previous[i]);
  if (!winch_installed) winch_installed = install(SIGWINCH, on_event, false, &previous_winch);
  if (!cont_installed) cont_installed = install(SIGCONT, on_event, false, &previous_cont);
}

void tg_remove(void) {
  atomic_store(&wake_fd, -1);
  for (int i = 0; i < ending_count; i++) {
    if (installed[i]) withdraw(endings[i], on_ending, &previous[i]);
    installed[i] = false;
  }
  if (winch_installed) withdraw(SIGWINCH, on_event, &previous_winch);
  if (cont_installed) withdraw(SIGCONT, on_event, &previous_cont);
  winch_installed = cont_installed = false;
}

bool tg_arm(int terminal, int output, bool paste) {
  if (tcgetattr(terminal, &saved) != 0) return false;
  terminal_fd = terminal;
  output_fd = output;
  paste_mode = paste;
  atomic_store(&armed, 1);
  return true;
}

void tg_disarm(void) { atomic_store(&armed, 0); }
bool tg_take_resized(void) { return atomic_exchange(&resized, 0); }
bool tg_take_continued(void) { return atomic_exchange(&continued, 0); }

int tg_run(char *const *words) {
  struct sigaction ignored = {.sa_handler = SIG_IGN}, interrupt, quit;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  int status = 0;
  pid_t child;
  int code = posix_spawnattr_init(&attributes);
  if (code) return -code;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  sigaction(SIGINT, &ignored, &interrupt);
  sigaction(SIGQUIT, &ignored, &quit);
  code = posix_spawnp(&child, words[0], NULL, &attributes, words, environ);
  if (!code)
    while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR) {
        code = errno;
        break;
      }
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  posix_spawnattr_destroy(&attributes);
  if (code) return -code;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
