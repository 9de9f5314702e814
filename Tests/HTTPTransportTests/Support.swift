import BackendKit
import BackendTransport
import Foundation
import TestSupport
import Testing

@testable import HTTPTransport

/// A transport to a fixture, without the environment's proxies.
func transport(
  _ address: String, _ change: (inout TransportSettings) -> Void = { _ in }
) throws -> HTTPTransport {
  var settings = TransportSettings(address: address)
  change(&settings)
  return try HTTPTransport(settings, environment: ProxyEnvironment { _ in nil })
}

/// A read of the path `todos`.
let read = HTTPRequest("GET", todos, effect: .read)
/// A change that must not be sent twice.
let write = HTTPRequest("POST", todos, body: Array("{\"title\":\"milk\"}".utf8), effect: .write)
/// A change that may be.
let replace = HTTPRequest("PUT", todos, body: Array("{}".utf8), effect: .repeatableWrite)

let todos: RequestPath = {
  do { return try RequestPath("todos") } catch { return .base }
}()

extension HTTPResponse {
  /// The body as text.
  func text() async throws -> String { String(decoding: try await body.collect(), as: UTF8.self) }
}

/// The error that a call throws.
func failure<Result>(
  _ body: () async throws(BackendError) -> Result, sourceLocation: SourceLocation = #_sourceLocation
) async -> BackendError? {
  do throws(BackendError) {
    _ = try await body()
    Issue.record("nothing was thrown", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

/// Runs a program and returns what it writes.
@discardableResult
func run(_ program: String, _ arguments: String..., input: Data = Data()) throws -> Data {
  try run([program] + arguments, input: input)
}

/// Runs a program and returns what it writes.
@discardableResult
func run(_ words: [String], input: Data = Data()) throws -> Data {
  let running = try RunningProgram(words)
  try running.type(Array(input))
  let ending = try running.waitForEnd()
  guard ending.status == 0 else { throw POSIXError(.ECHILD) }
  return Data(ending.bytes)
}
