import Foundation
import Glibc
import TestSupport

/// Names of files that somebody has made to do harm, in an order that follows from a seed.
struct HostileNames: RandomNumberGenerator {
  /// A name as the system keeps it; no text where it is not UTF-8.
  typealias Name = [UInt8]

  /// Another one with SWITCHBOARD_TEST_SEED; each failure names it.
  static let seed = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_SEED"].flatMap { UInt64($0) } ?? 1

  private var random: SeededGenerator

  /// Names from the seed of this run; each row is told apart from the others.
  init(row: Int) { random = SeededGenerator(seed: Self.seed &* 1_000_003 &+ UInt64(row)) }

  mutating func next() -> UInt64 { random.next() }

  /// Texts that shells, terminals and the console itself read as more than characters; each command in them creates a
  /// file.
  private static let texts = [
    "'", "\"", "`>P`", "$(>P)", "${x:=$(>P)}", "$((1))", ";>P;", "&>P&", "|>P|", ">P", "<(>P)", "(>P)", "\n", "\n>P\n",
    "\t", "\r", "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{1B}[201~", "\u{1}", "\u{3}", "\u{8}", "\u{F}", "\u{16}", "\u{7F}",
    "\u{85}", "\u{9B}2J", "\u{202E}", "\u{2066}", "\u{200B}", "\u{2028}", "\u{FEFF}", "\u{AD}", "-", "--", "-f", "~",
    "~root", "=", "=ls", "a=", "*", "?", "[a]", "[!a]", "{a,b}", "{1..3}", "!", "!!", "!-1", "^a^b", "#", "%", "%s",
    ":",
    ",", "@", "+", "\\", "\\n", "\\'", " ", "  ", "$HOME", "${IFS}", "$'x'", "$\"x\"", "$x", "$", "&&", "||", ";;",
    "<<E",
    "食堂", "关闭", "é", "e\u{301}", "\u{301}", "\u{1100}\u{1161}", "👩‍👩‍👧", "🎉", "ß", "İ", "a", "B", "xyz", ".sb", "end",
    "else", "null", "then",
  ]

  /// Bytes that are no text.
  private static let others: [Name] = [[0xFF], [0xC3], [0x80], [0xED, 0xA0, 0x80], [0xF8, 0x88], [0xC0, 0xAF]]

  /// The next name.
  mutating func name() -> Name {
    var name: Name = []
    for _ in 0..<Int.random(in: 1...4, using: &self) {
      name += Self.texts.randomElement(using: &self)?.utf8.map { $0 } ?? []
    }
    if Int.random(in: 0..<12, using: &self) == 0 { name += Self.others.randomElement(using: &self) ?? [] }
    if Int.random(in: 0..<6, using: &self) == 0 { name += [0x20] }
    // One that begins with a dot is hidden, and is offered only once a dot was typed.
    return name.first == UInt8(ascii: ".") ? Array("a".utf8) + name : name
  }

  /// So many names.
  static func names(_ count: Int, row: Int) -> [Name] {
    var names = HostileNames(row: row)
    return (0..<count).map { _ in names.name() }
  }
}

/// A folder with one file in it at a time, whose name may be any bytes.
struct OneFileFolder {
  let path: String

  init(_ path: String) throws {
    self.path = path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// The names of all that is there.
  var names: [HostileNames.Name] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [HostileNames.Name] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in Array(bytes.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    return names
  }

  /// The text of the file.
  var text: String? {
    guard let name = names.first else { return nil }
    let descriptor = open(place(name), O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var bytes = HostileNames.Name(repeating: 0, count: 1000)
    let count = read(descriptor, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }

  /// Removes what is there, and writes a file.
  func hold(_ name: HostileNames.Name, _ text: String = "") throws {
    for old in names { unlink(place(old)) }
    let descriptor = open(place(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    defer { close(descriptor) }
    guard write(descriptor, text, text.utf8.count) == text.utf8.count else { throw POSIXError(.EIO) }
  }

  private func place(_ name: HostileNames.Name) -> [CChar] {
    (Array((path + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
  }
}
