package import ConsoleSystem

/// The program that opens links. It gets the address as an argument, without a shell.
package struct LinkOpener: Hashable, Sendable {
  /// The program with its arguments; `%s` at the end of one is replaced by the address.
  package let words: [String]
  private let environment: ChildEnvironment
  // These programs show pages in the terminal.
  private static let inTerminal: Set<String> = ["w3m", "lynx", "links", "links2", "elinks", "www-browser", "browsh"]

  /// True if it shows pages in the terminal.
  package var isInTerminal: Bool {
    Self.inTerminal.contains(words[0].split(separator: "/").last.map(String.init) ?? "")
  }

  /// The first installed program of those in `BROWSER`, separated by colons, and `xdg-open`.
  package init?(environment: ChildEnvironment) {
    let named = (environment["BROWSER"] ?? "").split(separator: ":").map { $0.split(separator: " ").map(String.init) }
    let found = (named + [["xdg-open"]]).first { words in
      words.first.map { ChildProcess.path(of: $0, environment) != nil } ?? false
    }
    guard let found else { return nil }
    words = found
    self.environment = environment
  }

  /// The words with the address filled in.
  func command(for address: LinkAddress) -> [String] {
    guard words.contains(where: { $0.hasSuffix("%s") }) else { return words + [address.text] }
    return words.map { $0.hasSuffix("%s") ? $0.dropLast(2) + address.text : $0 }
  }

  /// Opens an address; false if the program cannot be started.
  package func open(_ address: LinkAddress, _ interruption: Interruption) -> Bool {
    guard isInTerminal else {
      return ChildProcess(command(for: address), environment: environment, isDetached: true) != nil
    }
    guard let child = ChildProcess(command(for: address), environment: environment) else { return false }
    _ = child.wait(interruption)
    return true
  }
}
