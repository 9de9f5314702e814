internal import Glibc

/// Starting a program as the leader of a session.
enum ChildProcess {
  static func start(
    _ executable: String, arguments: [String], environment: [String: String], directory: String?, terminal: String
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal that a session leader opens becomes the one that controls it.
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let newSession: Int32 = 0x80
    posix_spawnattr_setflags(&attributes, Int16(newSession | Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)))

    // Swift does not see the call that sets the directory; env replaces itself by the program, which keeps its number.
    let command = (directory.map { ["/usr/bin/env", "-C", $0] } ?? []) + [executable] + arguments
    let words = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, command[0], &actions, &attributes, words, variables)
    guard code == 0 else {
      throw PseudoTerminalError("\(executable) cannot be started (\(String(cString: strerror(code))))")
    }
    return process
  }
}
