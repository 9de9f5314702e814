package import Glibc

/// A program that the console has started and waits for: a pager, or an opener of links. It is in the console's process
/// group, so that it may use the terminal.
package struct ChildProcess: Sendable {
  package enum Ending: Sendable, Hashable {
    case exited(Int32)
    case killed(signal: Int32)
  }

  package let process: pid_t

  package init(process: pid_t) { self.process = process }

  /// Starts a program found in the PATH of the environment; nil if it cannot be started, with the reason in `errno`.
  /// The given standard streams replace the console's. A detached child has only the given ones and no terminal, and
  /// neither Ctrl-C nor the end of the terminal ends it. One named by the user's own configuration is not a script's
  /// choice, and is started in a restricted run, too. With `inheritsStops` it ignores Ctrl-Z if the console does.
  package init?(
    _ words: [String], environment: ChildEnvironment, input: Int32? = nil, output: Int32? = nil,
    errors: Int32? = nil, isDetached: Bool = false, isConfigured: Bool = false, inheritsStops: Bool = false,
    folder: String? = nil
  ) {
    guard isConfigured || Restriction.current.permitsPrograms else {
      errno = EPERM
      return nil
    }
    guard let path = words.first.flatMap({ Self.path(of: $0, environment) }) else {
      errno = ENOENT
      return nil
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (stream, given) in zip(Int32(0)..., [input, output, errors]) {
      if let given {
        posix_spawn_file_actions_adddup2(&actions, given, stream)
      } else if isDetached {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
      }
    }
    if let folder {
      // Present in glibc, but not visible to Swift.
      typealias ChangeFolder =
        @convention(c) (
          UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
        ) -> Int32
      guard let change = dlsym(nil, "posix_spawn_file_actions_addchdir_np") else {
        errno = ENOSYS
        return nil
      }
      _ = unsafeBitCast(change, to: ChangeFolder.self)(&actions, folder)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Default signal handling: ignored signals would be ignored in the child.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGPIPE, SIGINT, SIGQUIT] + (inheritsStops ? [] : [SIGTSTP]) { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // The last of these, present in glibc but not visible to Swift, is POSIX_SPAWN_SETSID.
    let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | (isDetached ? 0x80 : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.entries.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var child = pid_t()
    let error = CoreDumps.permitted { posix_spawn(&child, path, &actions, &attributes, &arguments, &variables) }
    guard error == 0 else {
      errno = error
      return nil
    }
    process = child
  }

  package func wait() -> Ending {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return .exited(0) }
    }
    return Self.ending(status)
  }

  /// Returns how it has ended; nil while it runs.
  package func endingIfAny() -> Ending? {
    var status: Int32 = 0
    let ended = waitpid(process, &status, WNOHANG)
    if ended == 0 || ended < 0 && errno == EINTR { return nil }
    return ended < 0 ? .exited(0) : Self.ending(status)
  }

  /// Kills a detached child and its process group, and waits for it.
  package func killGroup() {
    kill(-process, SIGKILL)
    _ = wait()
  }

  private static func ending(_ status: Int32) -> Ending {
    status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: status & 0x7F)
  }

  /// The file of a program: the name itself if it has a slash, otherwise the first executable in the PATH.
  package static func path(of name: String, _ environment: ChildEnvironment) -> String? {
    if name.utf8.contains(UInt8(ascii: "/")) { return access(name, X_OK) == 0 ? name : nil }
    guard !name.isEmpty else { return nil }
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    return folders.lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
