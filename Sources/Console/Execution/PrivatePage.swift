import BackendClient
import ConsoleOutput
import ConsoleSystem
import Files
import Glibc

/// A record's HTML as a page for the browser: a file private to its owner, without scripts or requests.
///
/// The HTML is in a frame that permits nothing: no scripts, forms, windows, or origin. The page around it forbids all
/// addresses, in an element that comes first, so that nothing of the record can precede it.
struct PrivatePage: Sendable {
  static let limit = 8 << 20

  let path: String

  /// Writes the page into a private folder. Deletes old ones left there by killed runs.
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

  func delete() { unlink(path) }

  private static let letters = Array("0123456789abcdefghijklmnopqrstuvwxyz")

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

  /// HTML without the elements that can reach the network or change base addresses even if nothing is loaded, such as
  /// hints to connect. They are shown as text.
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
  /// The address of a page written by the console.
  init(_ page: PrivatePage) { self.init(ofOwnPage: page.path) }
}
