import BackendKit
import Foundation
import TestSupport
import Testing

/// The parts of the sources and of the build that the build stamp depends on.
@Suite struct BuildStampTests {
  private let folder: TemporaryFolder
  private let package: String

  init() throws {
    folder = try TemporaryFolder()
    package = folder.path + "/kit"
    try Program.run("cp", "-R", BuiltLibraries.root + "/Sources/BackendKit", package)
  }

  /// The stamps of the package by module, where it is compiled with these arguments.
  private func stamps(_ arguments: [String] = [], of package: String? = nil) throws -> [String: String] {
    let words = (["swiftc"] + arguments).map { "\"\($0)\"" }.joined(separator: ",")
    let configuration = SamplePackage.configuration
    try folder.write(
      "commands:\n  \"C.BackendKit-x-\(configuration).module\":\n    tool: shell\n    args: [\(words)]\n",
      to: "scratch/\(configuration).yaml")
    let package = package ?? self.package
    let output = folder.path + "/stamps.swift"
    try Program.run("sh", package + "/Plugins/BuildStamp/stamp.sh", output, package, folder.path + "/scratch")
    let names = try String(contentsOfFile: output, encoding: .utf8).matches(
      of: /"switchboard_stamp\.([a-z]+)\.([^ "]+)"/)
    let own = names.filter { $0.1 != "kit" || $0.2.contains(configuration) }
    return Dictionary(own.map { (String($0.1), String($0.2)) }) { $1 }
  }

  /// The stamps after a text in a file has become another one.
  private func stamps(replacing text: String, by other: String, in file: String) throws -> [String: String] {
    let path = package + "/" + file
    let source = try String(contentsOfFile: path, encoding: .utf8)
    #expect(source.contains(text))
    try source.replacingOccurrences(of: text, with: other).write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? source.write(toFile: path, atomically: true, encoding: .utf8) }
    return try stamps()
  }

  @Test func `Two private stored properties that change places change the stamp`() throws {
    try folder.write(
      "public struct Pair {\n  private let a: Int8\n  private let b: Int64\n}\n", to: "kit/BackendKit/Pair.swift")
    let swapped = try stamps(
      replacing: "  private let a: Int8\n  private let b: Int64\n",
      by: "  private let b: Int64\n  private let a: Int8\n",
      in: "BackendKit/Pair.swift")
    #expect(try stamps()["kit"] != swapped["kit"])
  }

  @Test func `What the compiler reads changes the stamp, wherever it stands`() throws {
    try folder.write(Self.source, to: "kit/BackendKit/More.swift")
    let before = try stamps()
    for (text, other) in [
      ("\"//\"", "\"// \""), ("u{1}", "u{2}"), ("count += 1", "count += 2"), ("return a", "return\n  a"),
      ("\"\"\"\n    /* text", "\"\"\"\n    /* a text"), ("(\"b\")//", "(\"c\")//"),
    ] {
      #expect(try before != stamps(replacing: text, by: other, in: "BackendKit/More.swift"), "\(text)")
    }
  }

  @Test func `Neither a comment nor a blank changes the stamp`() throws {
    try folder.write(Self.source, to: "kit/BackendKit/More.swift")
    let before = try stamps()
    for (text, other) in [
      ("// a comment", "// another comment, \"and /* no text"), ("/* one /* within */ */", "/* \" */"),
      ("  /// Does more.\n", ""), ("count += 1\n", "count   += 1  // as is\n\n\n"), ("    return a", "\t  return a"),
      ("// last", ""),
    ] {
      #expect(try before == stamps(replacing: text, by: other, in: "BackendKit/More.swift"), "\(text)")
    }
  }

  private static let source = ##"""
    // a comment
    struct More {
      /// Does more.
      func more(_ member: (Value, Int)) -> String {
        var count = 0
        count += 1
        let a = "\([member.0.text, "//", #"\#u{1}"#])" + more /* one /* within */ */ ("b")// last
        let b = """
        /* text \("inner // \(count)")
        """
        return a
      }
    }
    """##

  @Test func `Each module has a stamp of its own`() throws {
    let before = try stamps()
    #expect(Set(before.keys) == ["kit", "client", "transport"])
    let after = try stamps(
      replacing: "func check(", by: "func checked(", in: "BackendClient/Client/Client.swift")
    #expect(before["kit"] == after["kit"] && before["transport"] == after["transport"])
    #expect(before["client"] != after["client"])
  }

  @Test func `Arguments that change code or layout change the stamp`() throws {
    let without = try stamps()["kit"]
    for arguments in [
      ["-Onone"], ["-DOTHER"], ["-enable-library-evolution"], ["-sanitize=address"], ["-target-cpu", "x86-64-v3"],
      ["-swift-version", "5"], ["-enable-upcoming-feature", "Other"], ["-Xfrontend", "-disable-other"],
      ["-Xcc", "-DOTHER"],
    ] {
      #expect(try without != stamps(arguments)["kit"], "\(arguments)")
    }
  }

  @Test func `Paths, warnings and the way to the package do not change the stamp`() throws {
    let arguments = [
      "-warnings-as-errors", "-suppress-warnings", "-Wwarning", "Other", "-I", "/some/where", "-j8", "-g", "-Xcc",
      "-I/some/where", "-Xfrontend", "-warn-long-function-bodies=9", "-Xfrontend", "-function-sections",
      "-package-name", "other", "-module-cache-path",
      "/some/where", "-index-store-path", "/D", "-enable-testing",
    ]
    #expect(try stamps() == stamps(arguments))
  }

  @Test func `Neither the folder nor the names of files change the stamp`() throws {
    let other = folder.path + "/elsewhere"
    try Program.run("cp", "-R", package, other)
    let before = try stamps()
    try Program.run("mv", other + "/BackendKit/Plugin/Plugin.swift", other + "/BackendKit/Other.swift")
    #expect(try before == stamps(of: other))
  }
}
