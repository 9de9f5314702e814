import BackendClient
import BackendKit
import Testing

@testable import Console

/// Checks of a record just before it is written.
@Suite struct PreconditionTests {
  private let words = Precondition.Words(changed: "it has changed", gone: "it is gone", hint: "look again")

  private func look(_ condition: Precondition, _ id: String, _ before: KnownFields?) async throws -> BackendError? {
    let bench = try CommandBench()
    let context = bench.context()
    let target = try #require(try await bench.targets.target(named: "home/todos"))
    let resource = try await target.client.resource(target.path)
    var planned = PlannedWrite(
      .delete(target.path, .one(RecordID(id))), from: WriteOrigin(RecordID(id)), before: before)
    planned.condition = condition
    do throws(BackendError) {
      _ = try await condition.look(at: planned, in: Ledgers(context).place(target, resource))
      return nil
    } catch { return error }
  }

  @Test func `a conflict says what each field was and is now, whoever saw the record before`() async throws {
    let fields = Object([("title", "mine"), ("order", 1)])
    let known = KnownFields(fields, isPartial: true)
    for condition in [Precondition.shows(fields, words, onlyRenamed: false), .unchanged(words)] {
      let error = try #require(try await look(condition, "1", known))
      #expect(error.code == .conflict && error.effect == .notSent)
      #expect(error.message.hasPrefix("it has changed"))
      #expect(error.fields == [FieldMessage("title", #"was "mine", is now "tea""#)])
    }
  }

  @Test func `a record that is gone is said to be gone`() async throws {
    let fields = Object([("title", "mine")])
    for condition in [Precondition.shows(fields, words, onlyRenamed: false), .unchanged(words)] {
      #expect(try await look(condition, "9", KnownFields(fields, isPartial: true))?.message == "it is gone")
    }
  }
}
