import BackendClient
import BackendKit

/// A planned write compared with its record as it is now: what a dry run of a plan file says of it.
struct WriteComparison {
  enum State: String {
    case unchanged
    /// Fields differ from those of the plan.
    case changed
    case gone
    /// A creation: there is nothing to compare.
    case new
    /// A record with the identifier of the creation exists.
    case exists
    /// An earlier run has done it.
    case done
    /// An earlier run may have done it.
    case unknown
    /// It concerns a record that the plan creates first.
    case later
  }

  let state: State
  /// The fields that differ, with their values in the plan and now.
  private(set) var fields: [(name: String, before: Value?, now: Value?)] = []

  /// True if it would be sent.
  var isOpen: Bool { [.unchanged, .new, .later].contains(state) }
  /// True if carrying out the plan would stop at it.
  var isObstacle: Bool { [.changed, .gone, .exists, .unknown].contains(state) }

  /// Reads the record of a write, unless there is nothing to compare. Throws if that is unclear.
  init(_ planned: PlannedWrite, in place: WritePlace) async throws(BackendError) {
    if planned.awaited != nil {
      state = .later
      return
    }
    if planned.past != .nothing || planned.write.id == nil {
      do throws(BackendError) {
        guard case .send = try await planned.condition.look(at: planned, in: place) else {
          state = .done
          return
        }
      } catch {
        guard error.code == .conflict else { throw error }
        guard planned.write.id != nil else {
          state = error.effect == .unknown ? .unknown : .exists
          return
        }
      }
    }
    guard let id = planned.write.id else {
      state = .new
      return
    }
    switch await place.client.presence(of: id, in: planned.write.resource) {
    case .unclear(let error): throw error
    case .gone: state = .gone
    case .there(let record):
      let now = place.images.image(record).known
      let before = place.images.withoutSecrets(planned.expected)
      let difference = RecordDifference(before, now, under: planned.write, of: place.resource)
      fields = difference.changed.map { ($0, before.fields[$0], now.fields[$0]) }
      if fields.isEmpty, let old = before.revision, let new = now.revision, old != new {
        fields = [("revision", .string(old), .string(new))]
      }
      state = fields.isEmpty ? .unchanged : .changed
    }
  }

  /// Records for a table: one for each field that differs, otherwise one. `backend` is nil if all are of one.
  func records(of planned: PlannedWrite, _ backend: String?) -> [Record] {
    let rows =
      fields.isEmpty ? [(name: String?.none, before: Value?.none, now: Value?.none)] : fields.map { ($0, $1, $2) }
    return rows.map { field in
      Record(
        id: planned.write.id,
        fields: Object(facts: [
          ("backend", backend), ("verb", planned.write.verb), ("resource", planned.write.resource.description),
          ("id", planned.write.id?.text), ("state", state.rawValue), ("field", field.name), ("planned", field.before),
          ("now", field.now),
        ]))
    }
  }

  static func columns(ofSeveral: Bool) -> [FieldPath] {
    ((ofSeveral ? ["backend"] : []) + ["verb", "resource", "id", "state", "field", "planned", "now"]).map {
      FieldPath($0)
    }
  }
}

extension PlannedWrite {
  /// The fields that the record must have.
  fileprivate var expected: KnownFields {
    if case .shows(let fields, _, _) = condition { return KnownFields(fields, isPartial: true) }
    return before ?? KnownFields(Object(), isPartial: true)
  }
}
