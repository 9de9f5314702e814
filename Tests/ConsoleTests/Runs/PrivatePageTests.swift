import ConsoleSupport
import Foundation
import Testing

@testable import Console
@testable import ConsoleOutput

@Suite("HTML as a page for the browser") struct PrivatePageTests {
  @Test("the policy stands before everything of the record, which is in a frame that may do nothing")
  func document() throws {
    let html =
      "</iframe><script>x</script>\"><base href=//e><LINK rel=preconnect href=//e><meta http-equiv=refresh>&amp;\0"
    let page = PrivatePage.document(html, title: "</title><script>y</script>")
    let policy = try #require(page.range(of: "default-src 'none'; style-src 'unsafe-inline'; img-src data:"))
    let frame = try #require(page.range(of: "<iframe sandbox srcdoc=\""))
    let end = try #require(page.range(of: "\"></iframe></body></html>\n"))
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html><head><meta http-equiv=\"Content-Security-Policy\" content=\""))
    #expect(policy.upperBound < frame.lowerBound && end.upperBound == page.endIndex)
    #expect(!page.lowercased().contains("<script") && !page.contains("allow-"))
    let inner = page[frame.upperBound..<end.lowerBound]
    #expect(!inner.contains("<") && !inner.contains(">") && !inner.contains("\"") && !inner.contains("\0"))
    // As the frame reads it.
    let read = inner.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
      .replacing("&amp;", with: "&")
    #expect(
      read == "<!DOCTYPE html></iframe><script>x</script>\">&lt;base href=//e>&lt;LINK rel=preconnect href=//e>"
        + "&lt;meta http-equiv=refresh>&amp;\u{FFFD}")
  }

  @Test("what is not loaded from the network is named") func unloaded() {
    let page = PrivatePage.document(
      "<p><img src=\"https://e/a.png\"><img src=//e/b alt='a \"b\"'><img src='data:image/png;base64,x'>"
        + "<iframe src=//v/<b>></iframe>", title: "t")
    let named = "https://e/a.png, a &quot;b&quot; (//e/b), //v/&lt;b"
    #expect(page.contains("<body><p>Not loaded: \(named)</p><iframe sandbox"), "\(page)")
    #expect(!PrivatePage.document("<p>x", title: "t").contains("Not loaded"))
  }

  @Test("the file is its owner's alone, in a folder of that kind, and what an earlier run has left is deleted")
  func file() throws {
    let home = try ConsoleRun.Home()
    let folder = home.folder.path + "/state/pages"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for (name, age) in [("page-old.html", 90_000.0), ("page-new.html", 60), ("other.html", 90_000)] {
      try Data().write(to: URL(filePath: "\(folder)/\(name)"))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: "\(folder)/\(name)")
    }
    let page = try PrivatePage("<p>x", title: "t", in: home.folder.path + "/state")
    #expect(try FileManager.default.attributesOfItem(atPath: page.path)[.posixPermissions] as? Int == 0o600)
    let name = URL(filePath: page.path).lastPathComponent
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == ["page-new.html", "other.html", name])
    #expect(LinkAddress(page).text == "file://" + page.path)
    page.delete()
    #expect(!FileManager.default.fileExists(atPath: page.path))
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
    let failure = #expect(throws: CommandFailure.self) {
      try PrivatePage("x", title: "t", in: home.folder.path + "/state")
    }
    #expect(failure?.message.contains("is accessible to others") == true)
  }
}
