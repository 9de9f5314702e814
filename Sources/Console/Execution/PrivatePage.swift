import BackendClient
import ConsoleOutput
import ConsoleSystem
import Files
import Glibc

/// A record's HTML as a page for the browser: a file that its owner alone may read, in which nothing runs and which asks for nothing.
///
/// The HTML stands in a frame of its own that may do nothing: no scripts, no forms, no other windows, no place that is not its own. The
/// page around it forbids every address, and comes first, so that nothing of the record's can stand before it.
struct PrivatePage: Sendable {
  /// The most bytes of HTML.
  static let limit = 8 << 20

  /// The file.
  let path: String

  /// The page as a file, in a folder that nobody else may write to; old ones that a killed run has left there are deleted.
  init(_ html: String, title: String, in state: String?) throws(CommandFailure) {
    guard let state else {
      throw CommandFailure(.failure, UserFolders.unknownState, hint: UserFolders.stateHint)
    }
    guard html.utf8.count <= Self.limit else {
      throw CommandFailure(.failure, "the HTML is larger than \(Self.limit >> 20) MiB and cannot be opened")
    }
    let folder = state + "/pages"
    let name = String((0..<20).map { _ in Self.letters.randomElement() ?? "x" })
    path = "\(folder)/page-\(name).html"
    do throws(FileFailure) {
      try OwnedFolder.prepare(of: path)
      OldFiles.delete(in: folder, prefix: "page-", suffix: ".html")
      try OwnedFile.write(Array(Self.document(html, title: title).utf8), to: path)
    } catch {
      throw CommandFailure(.failure, "the page cannot be written: \(error.reason)")
    }
  }

  /// Deletes the file.
  func delete() { unlink(path) }

  private static let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz")

  /// The page around a record's HTML.
  static func document(_ html: String, title: String) -> String {
    let loaded = HTMLText.loaded(html).map { XMLText.escaped($0) }.joined(separator: ", ")
    let missing = loaded.isEmpty ? "" : "<p>Not loaded: \(loaded)</p>"
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    return """
      <!DOCTYPE html>
      <html><head><meta http-equiv="Content-Security-Policy" content="\(policy)">
      <meta charset="utf-8"><meta name="referrer" content="no-referrer">
      <title>\(XMLText.escaped(title))</title>
      <style>html, body, iframe { margin: 0; border: 0; width: 100%; height: 100%; display: block }</style></head>
      <body>\(missing)<iframe sandbox srcdoc="\(XMLText.escaped(inert(html)))"></iframe></body></html>

      """
  }

  /// HTML without the elements by which a page may reach the network although nothing is loaded: hints to connect, and what
  /// changes how addresses are read. They are shown as text.
  private static func inert(_ html: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(html.utf8)
    result.reserveCapacity(bytes.count)
    for place in bytes.indices {
      let isTag =
        bytes[place] == UInt8(ascii: "<")
        && ["link", "meta", "base"].contains { name in
          bytes[(place + 1)...].prefix(4).map { $0 | 0x20 }.elementsEqual(name.utf8)
        }
      if isTag { result += Array("&lt;".utf8) } else { result.append(bytes[place]) }
    }
    return "<!DOCTYPE html>" + String(decoding: result, as: UTF8.self)
  }
}

extension LinkAddress {
  /// The address of a page that the console has written.
  init(_ page: PrivatePage) { self.init(ofOwnPage: page.path) }
}
