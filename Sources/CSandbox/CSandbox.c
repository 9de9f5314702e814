#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// The headers of an older kernel do not have all of these; the numbers are the same on every machine.
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD 445
#define LANDLOCK_RESTRICT 446
#define CLOSE_RANGE 436
#define PIDFD_GETFD 438
#define FCHMODAT2 452
#define CLONE3 435
#define SEMTIMEDOP_TIME64 420

enum {
  fs_execute = 1 << 0,
  fs_write_file = 1 << 1,
  fs_read_file = 1 << 2,
  fs_read_dir = 1 << 3,
};

struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scoped;
};

struct rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

// The folders that any interpreter needs, and none of the user's.
static const char *const folders[] = {
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store",
};
static const char *const files[] = {
    "/etc/ld.so.cache", "/etc/localtime", "/etc/locale.alias", "/dev/zero", "/dev/random", "/dev/urandom",
};

static int version(void) {
  long found = syscall(LANDLOCK_CREATE, NULL, 0, 1);
  return found > 0 ? (int)found : 0;
}

int switchboard_sandbox_has_landlock(void) { return version() > 0; }

static int allow(int rules, int place, uint64_t what) {
  struct rule rule = {.allowed = what, .parent = place};
  return (int)syscall(LANDLOCK_ADD, rules, 1, &rule, 0);
}

static int allow_path(int rules, const char *path, uint64_t what) {
  int place = open(path, O_PATH | O_CLOEXEC);
  // A folder that does not exist needs no rule.
  if (place < 0) return 0;
  int result = allow(rules, place, what);
  close(place);
  return result;
}

/// Takes files, network and signals to others away, as far as the kernel has Landlock. Returns 0, or -1 with `errno` set.
static int lock_files(int program) {
  int known = version();
  if (known == 0) return 0;
  struct ruleset set = {
      .files = known >= 5 ? 0xFFFF : known >= 3 ? 0x7FFF : known >= 2 ? 0x3FFF : 0x1FFF,
      .network = known >= 4 ? 3 : 0,
      .scoped = known >= 6 ? 3 : 0,
  };
  size_t length = known >= 6 ? sizeof set : known >= 4 ? offsetof(struct ruleset, scoped) : offsetof(struct ruleset, network);
  int rules = (int)syscall(LANDLOCK_CREATE, &set, length, 0);
  if (rules < 0) return -1;
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (allow_path(rules, folders[i], fs_execute | fs_read_file | fs_read_dir)) return -1;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (allow_path(rules, files[i], fs_read_file)) return -1;
  if (allow_path(rules, "/dev/null", fs_read_file | fs_write_file)) return -1;
  if (allow(rules, program, fs_execute | fs_read_file)) return -1;
  if (syscall(LANDLOCK_RESTRICT, rules, 0)) return -1;
  return close(rules);
}

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#endif

#define REFUSE (SECCOMP_RET_ERRNO | EPERM)
// A libc that gets this for a call that is newer than itself takes the older one.
#define UNKNOWN (SECCOMP_RET_ERRNO | ENOSYS)
// CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET.
#define NAMESPACES 0x7E020000
#define FORBID(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1), BPF_STMT(BPF_RET | BPF_K, REFUSE)

/// Takes away what no plugin needs: sockets, memory and queues that it would share with other processes, other processes, their
/// priority and its own, namespaces, the user's keys, modes and owners of files, which Landlock leaves, and leaving the group in which it
/// is killed.
static int filter_calls(void) {
#ifdef MACHINE
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MACHINE, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
      // The same calls by other numbers.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, REFUSE),
#endif
      FORBID(__NR_socket),
      FORBID(__NR_io_uring_setup),
      FORBID(__NR_setsid),
      FORBID(__NR_setpgid),
      FORBID(__NR_ptrace),
      FORBID(__NR_process_vm_readv),
      FORBID(__NR_process_vm_writev),
      FORBID(PIDFD_GETFD),
      FORBID(__NR_fchmod),
      FORBID(__NR_fchmodat),
      FORBID(FCHMODAT2),
      FORBID(__NR_fchown),
      FORBID(__NR_fchownat),
      FORBID(__NR_utimensat),
      FORBID(__NR_setxattr),
      FORBID(__NR_lsetxattr),
      FORBID(__NR_fsetxattr),
      FORBID(__NR_removexattr),
      FORBID(__NR_lremovexattr),
      FORBID(__NR_fremovexattr),
#ifdef __x86_64__
      FORBID(__NR_chmod),
      FORBID(__NR_chown),
      FORBID(__NR_lchown),
      FORBID(__NR_utime),
      FORBID(__NR_utimes),
      FORBID(__NR_futimesat),
#endif
      FORBID(__NR_shmget),
      FORBID(__NR_shmat),
      FORBID(__NR_shmctl),
      FORBID(__NR_semget),
      FORBID(__NR_semop),
      FORBID(__NR_semtimedop),
      FORBID(SEMTIMEDOP_TIME64),
      FORBID(__NR_semctl),
      FORBID(__NR_msgget),
      FORBID(__NR_msgsnd),
      FORBID(__NR_msgrcv),
      FORBID(__NR_msgctl),
      FORBID(__NR_mq_open),
      FORBID(__NR_mq_unlink),
      FORBID(__NR_setpriority),
      FORBID(__NR_ioprio_set),
      FORBID(__NR_sched_setparam),
      FORBID(__NR_sched_setscheduler),
      FORBID(__NR_sched_setaffinity),
      FORBID(__NR_sched_setattr),
      FORBID(__NR_unshare),
      FORBID(__NR_setns),
      FORBID(__NR_add_key),
      FORBID(__NR_request_key),
      FORBID(__NR_keyctl),
      // Its arguments are in memory, where no filter looks.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, CLONE3, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, UNKNOWN),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, REFUSE),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      // The limits of this process, number 0, and of no other one.
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, REFUSE),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PR_SET_PDEATHSIG, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, REFUSE),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {.len = sizeof steps / sizeof *steps, .filter = steps};
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0) && errno != EINVAL) return -1;
#endif
  return 0;
}

/// A descriptor that is not in the way of those that the program is given.
static int aside(int descriptor) { return fcntl(descriptor, F_DUPFD_CLOEXEC, 16); }

/// What the new process does. Returns only where something failed, with `errno` set.
static void become(const struct SwitchboardSandboxed *program, int *complaints, pid_t starter) {
  int file = aside(program->file);
  int streams[3];
  for (int i = 0; i < 3; i++) streams[i] = aside(program->streams[i]);
  int complaining = aside(*complaints);
  if (file < 0 || complaining < 0) return;
  *complaints = complaining;
  for (int i = 0; i < 3; i++)
    if (streams[i] < 0 || dup2(streams[i], i) < 0) return;
  if (dup3(file, 3, program->is_script ? 0 : O_CLOEXEC) < 0 || dup3(complaining, 4, O_CLOEXEC) < 0) return;
  *complaints = 4;
  if (syscall(CLOSE_RANGE, 5, ~0U, 0)) {
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most)) return;
    for (rlim_t i = 5; i < most.rlim_cur && i < 1 << 20; i++) close((int)i);
  }
  if (setsid() < 0 || chdir(program->folder)) return;
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  umask(077);
  for (int i = 1; i < NSIG; i++) signal(i, SIG_DFL);
  if (starter) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    // It may have ended before this was said.
    if (getppid() != starter) _exit(127);
  }
  // A program started by root does not get root's privileges.
  for (int i = 0; prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++) prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || lock_files(3) || filter_calls()) return;
  sigset_t empty;
  sigemptyset(&empty);
  sigprocmask(SIG_SETMASK, &empty, NULL);
  char *arguments[] = {(char *)program->name, NULL};
  syscall(SYS_execveat, 3, "", arguments, program->environment, AT_EMPTY_PATH);
}

int switchboard_sandbox_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int switchboard_sandbox_start(const struct SwitchboardSandboxed *program, pid_t *process) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) return errno;
  // The main thread lasts as long as the process; the system kills at the end of another one, too.
  pid_t starter = getpid() == syscall(SYS_gettid) ? getpid() : 0;
  // No handler of this process may run in the new one.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pid_t child = fork();
  int problem = errno;
  if (child == 0) {
    become(program, &ends[1], starter);
    problem = errno;
    (void)!write(ends[1], &problem, sizeof problem);
    _exit(127);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return problem;
  }
  // The end of the pipe, without a word, is the start of the program.
  ssize_t count;
  do count = read(ends[0], &problem, sizeof problem);
  while (count < 0 && errno == EINTR);
  close(ends[0]);
  if (count == sizeof problem) {
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) continue;
    return problem;
  }
  *process = child;
  return 0;
}
