internal import CSpawn
internal import Glibc

/// The one way in which the tests start processes.
///
/// A child gets its three standard streams and no other descriptor, whatever else is started at the same time; it blocks
/// no signal, and signals do to it what they do to a fresh process.
public enum Spawn {
  /// The standard streams of a child.
  public enum Streams: Sendable {
    /// Open descriptors, from 3 on.
    case descriptors(input: Int32, output: Int32, errors: Int32)
    /// A terminal that controls the child, which leads a session of its own.
    case terminal(path: String)
  }

  /// Why a program was not started, or what was waited for in vain.
  public struct Failure: Error, CustomStringConvertible {
    /// A sentence, and what the program had written by then.
    public let description: String

    /// A failure.
    public init(_ description: String) { self.description = description }
  }

  /// Starts a program with its arguments and returns its process id.
  ///
  /// - Parameters:
  ///   - words: the program, by its path or its name, and its arguments.
  ///   - environment: all of its variables; nil: those of the tests.
  ///   - folder: where it begins; nil: where the tests run.
  ///   - streams: its standard streams.
  public static func start(
    _ words: [String], environment: [String: String]? = nil, in folder: String? = nil, streams: Streams
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags = Int32(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)

    switch streams {
    case .descriptors(let input, let output, let errors):
      for (place, descriptor) in [input, output, errors].enumerated() {
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(place))
      }
    case .terminal(let path):
      // The first terminal that a session leader opens becomes the one that controls it.
      posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
      let newSession: Int32 = 0x80
      flags |= newSession
    }
    // After the streams are in place; close-on-exec alone would trust everybody in this process to have set it.
    spawn_add_close_from(&actions, 3)
    if let folder { spawn_add_folder(&actions, folder) }

    var all = sigset_t(), none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { $0.map { strdup("\($0.key)=\($0.value)") } + [nil] } ?? []
    defer { for word in arguments + variables { free(word) } }
    var process = pid_t()
    let code = variables.withUnsafeBufferPointer { variables in
      // Written to by nobody: the type is C's.
      let own = UnsafeMutablePointer(mutating: variables.baseAddress)
      return posix_spawnp(
        &process, words.first ?? "", &actions, &attributes, arguments, environment == nil ? environ : own)
    }
    guard code == 0 else {
      throw Failure("\(words.first ?? "nothing") cannot be started: \(String(cString: strerror(code)))")
    }
    return process
  }
}
