import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport

/// A home with backends that are dialects of a demo in a process of its own, which programs reach.
struct ServedWorld {
  let home: ConsoleRun.Home
  let demo: DemoProcess

  init(_ dialects: String..., seed: Int? = nil, label: String? = nil) async throws {
    let demo = try await DemoProcess.start(
      ["--memory", "--set", "jsonplaceholder.profile=json-server"] + (seed.map { ["--seed", "\($0)"] } ?? []))
    let label = label.map { #", "label": "\#($0)""# } ?? ""
    let backends = dialects.map { #""\#($0)": {"plugin": "\#($0)", "url": "\#(demo.base($0))"\#(label)}"# }
    self.demo = demo
    home = try ConsoleRun.Home(
      configuration: #"{"switchboard": 1, "backends": {\#(backends.joined(separator: ", "))}}"#)
  }

  func run(_ script: String) async throws -> ConsoleRun { try await home.runProgram(script) }
}
