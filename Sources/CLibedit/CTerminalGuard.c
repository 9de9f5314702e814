#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

// One terminal per process. Everything a handler reads is atomic or written only while `armed` is 0.
static struct termios saved;
static int terminal_fd = -1, output_fd = -1;
static bool ends_row, present;
// What the terminal is sent before it is given back.
static char leaving[64];
static size_t leaving_count;
static atomic_int armed, resized, continued, wake_fd = -1;

static struct sigaction previous[_NSIG], previous_winch, previous_cont;
static bool installed[_NSIG], winch_installed, cont_installed;

// Returns whether a signal ends the process by default: all but these do, also those of the clock, of limits and of users.
static bool ends(int number) {
  switch (number) {
  case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU: case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH:
    return false;
  default:
    return true;
  }
}

// Those that Swift's own crash reports listen to, which then follow.
static bool is_crash(int number) {
  switch (number) {
  case SIGQUIT: case SIGABRT: case SIGBUS: case SIGFPE: case SIGILL: case SIGSEGV: case SIGTRAP:
    return true;
  default:
    return false;
  }
}

// A folder that does not outlive the process.
static char folder[PATH_MAX];
static atomic_int has_folder;

bool tg_keep_folder(const char *path) {
  if (strlen(path) >= sizeof folder) return false;
  strcpy(folder, path);
  atomic_store(&has_folder, 1);
  return true;
}

void tg_remove_folder(void) {
  if (!atomic_exchange(&has_folder, 0)) return;
  int place = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (place >= 0) {
    // The functions that read a folder allocate memory, which a signal handler must not do.
    _Alignas(struct dirent64) char entries[4096];
    long count;
    while ((count = syscall(SYS_getdents64, place, entries, sizeof entries)) > 0)
      for (long at = 0; at < count; at += ((struct dirent64 *)(entries + at))->d_reclen)
        unlinkat(place, ((struct dirent64 *)(entries + at))->d_name, 0);
    close(place);
  }
  rmdir(folder);
}

void tg_restore(void) {
  tg_remove_folder();
  if (!atomic_exchange(&armed, 0)) return;
  tcsetattr(terminal_fd, TCSANOW, &saved);
  ssize_t ignored = write(output_fd, leaving, leaving_count);
  // A terminal that returns the carriage itself at a line feed is told to once.
  bool returns = saved.c_oflag & OPOST && saved.c_oflag & ONLCR;
  if (ends_row) ignored = returns ? write(output_fd, "\n", 1) : write(output_fd, "\r\n", 2);
  (void)ignored;
}

static void on_ending(int number) {
  int error = errno;
  tg_restore();
  sigaction(number, &previous[number], NULL);
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
  present = true;
  // The library refuses those that it keeps for itself.
  for (int i = 1; i < _NSIG; i++)
    if (ends(i) && !installed[i]) installed[i] = install(i, on_ending, is_crash(i), &previous[i]);
  if (!winch_installed) winch_installed = install(SIGWINCH, on_event, false, &previous_winch);
  if (!cont_installed) cont_installed = install(SIGCONT, on_event, false, &previous_cont);
}

bool tg_is_installed(void) { return present; }

void tg_remove(void) {
  present = false;
  atomic_store(&wake_fd, -1);
  for (int i = 1; i < _NSIG; i++) {
    if (installed[i]) withdraw(i, on_ending, &previous[i]);
    installed[i] = false;
  }
  if (winch_installed) withdraw(SIGWINCH, on_event, &previous_winch);
  if (cont_installed) withdraw(SIGCONT, on_event, &previous_cont);
  winch_installed = cont_installed = false;
}

bool tg_arm(int terminal, int output, const char *sequence, bool ends) {
  if (strlen(sequence) > sizeof leaving || tcgetattr(terminal, &saved) != 0) return false;
  terminal_fd = terminal;
  output_fd = output;
  leaving_count = strlen(sequence);
  memcpy(leaving, sequence, leaving_count);
  ends_row = ends;
  atomic_store(&armed, 1);
  return true;
}

bool tg_is_armed(void) { return atomic_load(&armed); }
void tg_disarm(void) { atomic_store(&armed, 0); }
bool tg_take_resized(void) { return atomic_exchange(&resized, 0); }
bool tg_take_continued(void) { return atomic_exchange(&continued, 0); }

// Waits for the end of a child, or ends it. A system without descriptors of processes waits, whoever asks.
static void wait_or_end(pid_t child, int wake, void *context, bool (*is_over)(void *)) {
  enum { patience = 2000 };
  int end = (int)syscall(SYS_pidfd_open, child, 0);
  if (end < 0) return;
  struct pollfd places[] = {{.fd = end, .events = POLLIN}, {.fd = wake, .events = POLLIN}};
  while (poll(places, 2, -1) < 0 || !places[0].revents)
    if (places[1].revents && is_over(context)) {
      kill(child, SIGTERM);
      kill(child, SIGCONT);
      int ready;
      do ready = poll(places, 1, patience);
      while (ready < 0 && errno == EINTR);
      if (!ready) kill(child, SIGKILL);
      break;
    }
  close(end);
}

int tg_run(char *const *words, char *const *variables, int wake, void *context, bool (*is_over)(void *)) {
  struct sigaction ignored = {.sa_handler = SIG_IGN}, interrupt, quit;
  posix_spawnattr_t attributes;
  struct termios modes;
  sigset_t all, none;
  int status = 0;
  pid_t child;
  int code = posix_spawnattr_init(&attributes);
  if (code) return -code;
  bool has_modes = tcgetattr(0, &modes) == 0;
  sigfillset(&all);
  sigemptyset(&none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  sigaction(SIGINT, &ignored, &interrupt);
  sigaction(SIGQUIT, &ignored, &quit);
  code = posix_spawnp(&child, words[0], NULL, &attributes, words, variables);
  if (!code) {
    wait_or_end(child, wake, context, is_over);
    while (waitpid(child, &status, 0) < 0)
      if (errno != EINTR) {
        code = errno;
        break;
      }
  }
  sigaction(SIGINT, &interrupt, NULL);
  sigaction(SIGQUIT, &quit, NULL);
  posix_spawnattr_destroy(&attributes);
  if (code) return -code;
  if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
  // Such an end leaves the terminal as the program had it.
  if (has_modes) tcsetattr(0, TCSADRAIN, &modes);
  return 128 + WTERMSIG(status);
}
