import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

/// A stamp counts where the linker has put it: among the names that the library asks the dynamic linker for.
@Suite struct StampPlaceTests {
  private let folder: TemporaryFolder
  private let stamps = BuiltLibraries.stamps

  init() throws { folder = try TemporaryFolder() }

  private func problem(_ source: String, _ arguments: String...) throws -> String? {
    let text = try folder.write(source, to: "source.c")
    let library = folder.path + "/libswitchboard-x.so"
    try Program.run(["cc", "-shared", "-fPIC", "-o", library, text] + arguments)
    try folder.setMode(0o700, of: "libswitchboard-x.so")
    return problem()
  }

  private func problem() -> String? {
    PluginFile(name: "x", path: folder.path + "/libswitchboard-x.so", kind: .library, owners: []).problem()?.message
  }

  @Test func `Names that are asked for make a plugin`() throws {
    #expect(try problem(BuiltLibraries.asks(for: stamps)) == nil)
    #expect(try problem(BuiltLibraries.asks(for: stamps), "-Wl,--hash-style=sysv") == nil)
    // A plugin asks for the stamps of what it does not use, too, and they may be missing.
    #expect(try problem(BuiltLibraries.asks(for: [stamps[0]])) == nil)
  }

  @Test func `A stamp that is appended to a foreign library does not make it a plugin`() throws {
    #expect(try problem("int nothing;")?.hasSuffix("is not a Switchboard plugin") == true)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.path + "/libswitchboard-x.so"))
    try file.seekToEnd()
    try file.write(contentsOf: Data(stamps.map { "\0\($0)\0" }.joined().utf8))
    try file.close()
    #expect(problem()?.hasSuffix("is not a Switchboard plugin") == true)
  }

  @Test(arguments: ["switchboard_stamp", ".comment", ".note.stamp", ".rodata", ".dynamic.stamp"])
  func `A stamp in another section does not make a library a plugin`(_ section: String) throws {
    let text = "__attribute__((used, section(\"\(section)\"))) const char kept[] = \"\(stamps[0])\";"
    #expect(try problem(text)?.hasSuffix("is not a Switchboard plugin") == true)
  }

  @Test func `A stamp among the linker's other names does not make a library a plugin`() throws {
    #expect(try problem("int nothing;", "-Wl,-soname,\(stamps[0])")?.hasSuffix("is not a Switchboard plugin") == true)
    #expect(try problem("int nothing;", "-Wl,-rpath,\(stamps[0])")?.hasSuffix("is not a Switchboard plugin") == true)
  }

  @Test func `A library that has BackendKit within it is reported so`() throws {
    let text = "int own __asm__(\"\(stamps[0])\") = 1;"
    #expect(try problem(text)?.hasSuffix("contains its own BackendKit") == true)
  }

  @Test(arguments: [("client", "$s13BackendClient0B0CMa"), ("transport", "$s16BackendTransport11TLSSettingsVMa")])
  func `The stamp of another module counts where the plugin uses it`(_ module: String, _ symbol: String) throws {
    let place = try #require(stamps.firstIndex { $0.hasPrefix(BuildStamp.prefix + module) })
    var other = stamps
    other[place] = BuildStamp.prefix + module + ".0123456789abcdef"
    #expect(try problem(BuiltLibraries.asks(for: other)) == nil)
    #expect(try problem(BuiltLibraries.asks(for: stamps + [symbol])) == nil)
    #expect(
      try problem(BuiltLibraries.asks(for: other + [symbol]))?.contains("its stamp is \"\(module).0123456789abcdef\"")
        == true)
    other.remove(at: place)
    #expect(try problem(BuiltLibraries.asks(for: other + [symbol]))?.contains("its stamp is \"none\"") == true)
  }

  @Test func `No number in a file leads out of it`() throws {
    let built = try BuiltFolder.ofTests.file("libswitchboard-kitura.so")
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: built)))
    func judge(_ count: Int) -> Bool {
      bytes.withUnsafeBytes { all in
        SharedLibrary(UnsafeRawBufferPointer(rebasing: all[..<count])) { strncmp($0, "switchboard", 11) == 0 }?.wanted
          .isEmpty == false
      }
    }
    let size = bytes.count
    #expect(judge(size))
    for count in Array(0..<2048) + Array(stride(from: 2048, to: size, by: 997)) { _ = judge(count) }
    let dynamic = try #require(
      try Program.run("readelf", "-WS", built).firstMatch(of: /\.dynamic +DYNAMIC +[0-9a-f]+ ([0-9a-f]+) ([0-9a-f]+)/))
    let hash = try #require(
      try Program.run("readelf", "-WS", built).firstMatch(of: /\.gnu\.hash +GNU_HASH +[0-9a-f]+ ([0-9a-f]+)/))
    let table = try #require(Int(dynamic.1, radix: 16))
    let length = try #require(Int(dynamic.2, radix: 16))
    let names = try #require(Int(hash.1, radix: 16))
    let values: [UInt64] = [
      0, 1, 7, UInt64(size), UInt64(size) - 1, .max, .max >> 1, 1 << 63, 0xFFFF_FFFF, 0x8000_0000,
    ]
    for place in Array(0..<640) + Array(table..<table + length) + Array(names..<names + 64) {
      let kept = Array(bytes[place..<place + 8])
      for value in values {
        withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
        _ = judge(size)
      }
      bytes.replaceSubrange(place..<place + 8, with: kept)
    }
    #expect(judge(size))
  }
}
