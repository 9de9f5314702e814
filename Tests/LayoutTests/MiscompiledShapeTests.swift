import ConsoleSupport
import Foundation
import Testing

/// Code that the optimizer of Swift 6.3 gets wrong.
@Suite struct MiscompiledShapeTests {
  /// `return (name, .success(try await …))` within a `do`, with another `return (name, …)` in its `catch`: the release build leaves out the
  /// store of `name`, and whoever reads the tuple crashes or finds nothing. The result has to be made before the tuple.
  @Test func `a throwing call is not made within a tuple beside other values`() throws {
    let shape = try Regex(#"return \(.+, *\.success\(try"#)
    #expect("do { return (name, .success(try await read())) } catch {".contains(shape))
    let folders = ["Sources", "Plugins"].map { ConsoleRun.root.appending(path: $0) }
    var found: [String] = []
    for folder in folders {
      let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
      for case let file as URL in files where file.pathExtension == "swift" {
        if try String(contentsOf: file, encoding: .utf8).contains(shape) { found.append(file.lastPathComponent) }
      }
    }
    #expect(found.isEmpty)
  }
}
