import BackendKit
import Foundation
import TestSupport

@testable import ConsoleSetup

/// A plugin in Python that does one thing that it must not do; without one it is a plugin like any other.
struct HostileProgram {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The plugins of a test: those that are built, and one program.
  func catalog(_ limit: Duration = .seconds(600)) throws -> PluginCatalog {
    PluginCatalog(
      searchPath: [PluginFolder(BuiltFolder.ofTests.path, holdsPrograms: false), PluginFolder(folder.path)],
      environment: ["HOME": folder.path, "SECRET": "s3cret", "LANG": "C.UTF-8"], limit: limit)
  }

  /// Writes the program, which runs `deed` when it is asked `question`, or one of several; `number` is the question's.
  @discardableResult
  func write(_ deed: String, at question: String = "hello", answers: String...) throws -> String {
    let answers = JSONWriter.compact(
      .array(((answers.isEmpty ? ["itemPath"] : answers) + ["decodeRecord"]).map { .string($0) }))
    let lines = deed.split(separator: "\n").map { "        " + $0 }.joined(separator: "\n")
    return try folder.write(
      """
      #!/usr/bin/env python3
      import json, os, signal, socket, subprocess, sys, time

      HELLO = {"switchboard": 1, "name": "hostile", "version": "1", "summary": "a plugin", "answers": \(answers)}
      DESCRIPTION = {"description": {"resources": {"things": {"create": {}}}}}

      def say(number, answer):
          print(json.dumps({"number": number, "answer": answer}), flush=True)

      def attempt(deed):
          try: return deed()
          except OSError as failure: return type(failure).__name__

      def is_open(descriptor):
          return attempt(lambda: os.fstat(descriptor)) != "OSError"

      for line in sys.stdin:
          asked = json.loads(line)
          number = asked["number"]
          if asked["ask"] in "\(question)".split():
      \(lines)
          elif asked["ask"] == "hello": say(number, HELLO)
          elif asked["ask"] == "describe": say(number, DESCRIPTION)
          elif asked["ask"] == "interceptWrite": say(number, {"step": "usual"})
          elif asked["ask"] == "itemPath": say(number, {"path": [asked["id"]]})
          elif asked["ask"] == "decodeRecord":
              say(number, {"records": [{"id": v["id"], "fields": {**v, "of": len(asked["values"])}} for v in asked["values"]]})

      """, to: "switchboard-hostile", mode: 0o700)
  }
}
