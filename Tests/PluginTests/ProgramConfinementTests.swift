import BackendKit
import CSandbox
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

/// The confinement of a program: what it has, and what it cannot do.
@Suite struct ProgramConfinementTests {
  private let program: HostileProgram

  init() throws { program = try HostileProgram() }

  /// The program's own report of a Python expression, read from its summary.
  private func finding(_ code: String) throws -> String {
    try program.write("say(number, {**HELLO, 'summary': 'found: ' + str(\(code))})")
    let catalog = try program.catalog()
    defer { catalog.end() }
    return try catalog.load("hostile", for: "it").summary
  }

  @Test func `It has three variables, a home, three descriptors and the one that it is read from, and no terminal`()
    throws
  {
    let home = program.folder.path + "/.local/state/switchboard/plugins/hostile"
    // The variables that Python itself adds do not come from the console.
    #expect(
      try finding("sorted((k, v) for k, v in os.environ.items() if k not in ('LC_CTYPE', 'PYTHONUTF8'))")
        == "found: [('HOME', '\(home)'), ('LANG', 'C.UTF-8'), ('PATH', '/usr/local/bin:/usr/bin:/bin')]")
    #expect(try finding("os.getcwd()") == "found: " + home)
    #expect(try finding("[d for d in range(64) if is_open(d)]") == "found: [0, 1, 2, 3]")
    #expect(try finding("os.readlink('/proc/self/fd/3')") == "found: \(program.folder.path)/switchboard-hostile")
    #expect(try finding("os.getsid(0) == os.getpid() == os.getpgrp()") == "found: True")
    #expect(try finding("attempt(lambda: os.open('/dev/tty', os.O_RDWR))").hasSuffix("Error"))
  }

  @Test(
    .enabled(if: switchboard_sandbox_has_landlock() != 0),
    arguments: [
      "socket.socket()", "socket.socket(socket.AF_UNIX)", "socket.create_connection(('127.0.0.1', 22))",
      "open('/etc/passwd').read()", "os.listdir('/etc')", "open('file', 'w')",
      "open('/dev/shm/file', 'w')", "open('/proc/%d/environ' % os.getppid()).read()",
      "open('/proc/%d/mem' % os.getppid(), 'rb')", "os.kill(os.getppid(), 0)", "os.setpgid(0, os.getppid())",
      "os.chmod(os.path.expanduser('~'), 0o777)", "os.mkdir('folder')", "os.unlink(os.readlink('/proc/self/fd/3'))",
    ])
  func `It has no network, no files, no other process`(_ deed: String) throws {
    #expect(try finding("attempt(lambda: \(deed))") == "found: PermissionError")
  }

  /// Calls of the system as Python makes them, with the number of the machine if the C library has no function of that name.
  static let calls = [
    "shmget(0, 4096, 0o1600)", "shmat(0, 0, 0)", "semget(0, 1, 0o1600)", "semop(0, 0, 0)", "msgget(0, 0o1600)",
    "msgrcv(0, 0, 0, 0, 0o4000)", "mq_open(b'/x', 0o102, 0o600, 0)", "setpriority(0, 0, 19)",
    "setpriority(0, os.getppid(), 19)",
    "sched_setscheduler(0, 3, bytes(8))", "sched_setparam(0, bytes(8))", "sched_setaffinity(0, 8, b'\\xFF' * 8)",
    "unshare(0x10000000)", "unshare(0)", "setns(0, 0)", "prlimit(os.getppid(), 7, 0, 0)",
    "syscall(251 if os.uname().machine == 'x86_64' else 30, 1, 0, 0)",
    "syscall(314 if os.uname().machine == 'x86_64' else 274, 0, bytes(48), 0)",
    "syscall(56 if os.uname().machine == 'x86_64' else 220, 0x10000011, 0, 0, 0, 0)",
  ]

  @Test(.enabled(if: switchboard_sandbox_has_landlock() != 0), arguments: calls)
  func `It shares no memory and no queue, and changes no priority, no scheduling and no namespace`(_ call: String)
    throws
  {
    let found = try finding(
      "(lambda c: (c.CDLL(None, use_errno=True).\(call), c.get_errno()))(__import__('ctypes'))")
    #expect(found == "found: (-1, \(EPERM))")
  }

  @Test func `It can have threads and programs of its own, and read its own limits`() throws {
    #expect(try finding("subprocess.run(['/bin/true']).returncode") == "found: 0")
    #expect(
      try finding("[t.start() or t.join() for t in [__import__('threading').Thread(target=int)]]") == "found: [None]")
    #expect(try finding("len(__import__('resource').getrlimit(7))") == "found: 2")
  }

  @Test func `What it has started ends with it`() async throws {
    try program.write(
      """
      if os.fork() == 0:
          attempt(os.setsid)
          sys.stderr.write(str(os.getpid()))
          sys.stderr.flush()
          print("garbage", flush=True)
      while True: time.sleep(1000)
      """)
    let error = #expect(throws: PluginError.self) { try program.catalog().load("hostile", for: "it") }
    let child = try #require(error?.message.split(separator: " ").last.flatMap { pid_t($0) }, "\(error?.message ?? "")")
    #expect(try await ProcessTable.waitForEnd(of: child))
  }
}
