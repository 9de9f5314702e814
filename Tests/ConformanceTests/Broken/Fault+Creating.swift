import BackendConformance
import BackendKit

extension Fault {
  static let creating: [Fault] =
    [
      Fault("shows another record in the receipt of a create", "create stores the fields") { broken in
        broken.receipt = { receipt, operation in if operation == "create" { receipt.record?.fields["done"] = "?" } }
      },
      Fault("overlooks the identifier in the answer", "create returns the identifier") { broken in
        broken.receipt = { receipt, operation in
          guard operation == "create" else { return }
          receipt.id = nil
          receipt.notes.append("the server did not report the new record's identifier")
        }
      },
      Fault("makes a record that its lists leave out", "created record is listed") { broken in
        broken.page = { page, _, _ in page.records.removeAll(where: Fault.isOwn) }
      },
      Fault("lists a new record with another text", "created record is listed") { broken in
        broken.page = { page, _, _ in
          for place in page.records.indices where Fault.isOwn(page.records[place]) {
            page.records[place].fields["body"] = "new"
          }
        }
      },
      Fault("makes each record twice", "created record is listed") { broken in
        let fields = Kept(Object())
        broken.creating = { fields.value = $0 }
        broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
          if operation == "create" { try await exchange.post(fields.value) }
        }
      },
      Fault("tells the same identifier of all that it makes", "creates are independent") { broken in
        broken.receipt = { receipt, operation in if operation == "create" { receipt.id = "1" } }
      },
      Fault("gives what it makes to another owner", "create sets the owner", on: .owned) { broken in
        broken.takeOthers()
        broken.creating = { fields in if fields["owner"] == nil { fields["owner"] = 8 } }
      },
      Fault("shows what it makes below every record", "create sets the owner", on: .unnamed) {
        $0.takeOthers(\.sharesNew)
      },
      Fault("writes the owner as no other record does", "create sets the owner", on: .owned) { broken in
        broken.creating = { fields in if fields["owner"] == nil { fields["owner"] = "7" } }
      },
      Fault("drops a field that it does not know", "undescribed field") { broken in
        broken.creating = { fields in fields["switchboardProbe"] = nil }
      },
      Fault("refuses every value of a field that may be written", "writable fields") { broken in
        let fields = Kept(Object())
        broken.creating = { fields.value = $0 }
        broken.before = { operation throws(BackendError) in
          if operation == "create", fields.value["price"] != nil { throw .invalid("a price cannot be that") }
        }
      },
      Fault("takes a value from new records alone", "writable fields") { broken in
        broken.updating = { _, changes, _ in
          changes = changes.map { $0.field == "price" ? .set("price", 0) : $0 }
        }
      },
      Fault("does not send a number that has bounds", "writable fields", on: .bounded) { broken in
        broken.creating = { fields in fields["amount"] = nil }
      },
      Fault("describes a bound that the server does not accept", "writable fields", on: .bounded) { $0.refuseBound() },
      Fault("describes such a bound where no record can be read", "writable fields", on: .unread) { $0.refuseBound() },
      Fault("describes a value that the server does not accept", "writable fields", on: .listing) { broken in
        let sent = Kept([Value?]())
        broken.creating = { sent.value = [$0["status"]] }
        broken.updating = { _, changes, _ in
          sent.value = changes.map { if case .set("status", let value) = $0 { value } else { nil } }
        }
        broken.before = { operation throws(BackendError) in
          guard ["create", "update"].contains(operation), sent.value.contains("open") else { return }
          throw BackendError(.invalid, "a note is not open", effect: .rejected)
        }
      },
      Fault("does not send a text that has a pattern", "writable fields", on: .bounded) { broken in
        broken.creating = { fields in fields["code"] = nil }
      },
      Fault("cuts the last digit of a number that has bounds", "writable fields", on: .bounded) { broken in
        broken.updating = Fault.changing { field, value in
          field == "amount" ? value.integer.map { .int($0 / 10) } ?? value : value
        }
      },
      Fault("gives what it makes to whoever is named", "conflicting owner in create", on: .owned) { $0.takeOthers() },
      Fault("leaves it open whether a record is kept", "kept or echoed is true") { broken in
        broken.receipt = { receipt, operation in if operation == "create" { receipt.writes = .unknown } }
      },
      Fault("leaves it open whether a change is kept", "kept or echoed is true") { broken in
        broken.receipt = { receipt, operation in if operation == "update" { receipt.writes = .unknown } }
      },
      Fault("leaves it open whether a deletion is kept", "kept or echoed is true") { broken in
        broken.receipt = { receipt, operation in if operation == "delete" { receipt.writes = .unknown } }
      },
      Fault("forgets that writes are kept", "kept or echoed is true") { broken in
        broken.description = { description, _ in description.resources[0].capabilities.writes = .unknown }
      },
      Fault("says of a record that is kept that it is not", "no needless notes") { broken in
        broken.receipt = { receipt, operation in
          if operation == "create" { receipt.notes.append("the server does not keep it") }
        }
      },
      Fault("says of a change that is kept that it is not", "no needless notes") { broken in
        broken.receipt = { receipt, operation in
          if operation == "update" { receipt.notes.append("the server does not keep it") }
        }
      },
      Fault("says of each record that it changed the resources", "changed resources reported") { broken in
        broken.receipt = { receipt, _ in receipt.changesResources = true }
      },
      Fault("keeps a field to itself that came with a record", "changed resources reported") { broken in
        let made = Counter()
        broken.receipt = { _, operation in if operation == "create" { _ = made.next() } }
        broken.description = { description, depth in
          if depth == .live, made.current > 0 {
            description.resources[0].fields.append(FieldDescription("extra", .any))
          }
        }
      },
      Fault("needs a field that it does not describe as required", "optional fields", on: .untitled) { broken in
        let fields = Kept(Object())
        broken.creating = { fields.value = $0 }
        broken.before = { operation throws(BackendError) in
          if operation == "create", fields.value["title"] == nil { throw .invalid("a title is needed") }
        }
      },
      Fault("makes the record that it refuses", "refused create creates nothing") { broken in
        let fields = Kept(Object())
        broken.creating = { fields.value = $0 }
        broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
          if operation == "create", fields.value["priority"] == .null { try await exchange.post(fields.value) }
        }
      },
      Fault("says of a kept record that it was echoed", "kept or echoed is true") { broken in
        broken.receipt = { receipt, _ in receipt.writes = .echoed }
      },
      Fault("says of an echoed record that it is kept", "kept or echoed is true", on: .echoing) { broken in
        broken.receipt = { receipt, _ in receipt.writes = .kept }
      },
    ] + restricted

  /// Faults at what a record cannot be made of.
  private static let restricted: [Fault] = [
    Fault("chooses another identifier than was asked for", "chosen identifier", on: .chosen) { broken in
      broken.creating = { fields in fields["id"] = nil }
    },
    Fault("says of a new record that it replaced one", "chosen identifier", on: .chosen) { broken in
      broken.receipt = { receipt, operation in if operation == "create" { receipt.hasReplaced = true } }
    },
    Fault("drops an identifier that it cannot choose", "chosen identifier") { broken in
      broken.creating = { fields in fields["id"] = nil }
    },
    Fault("answers success where the identifier is taken", "existing identifier", on: .chosen) { broken in
      broken.failing = { error, operation in operation != "create" || error.code != .alreadyExists }
    },
    Fault("replaces the record that has the identifier", "existing identifier", on: .chosen) { broken in
      let id = Kept("")
      broken.creating = { fields in id.value = fields["id"]?.text ?? "" }
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        guard operation == "create", !id.value.isEmpty else { return }
        try await exchange.patch(id.value, ["body": "another"])
      }
    },
    Fault("invents a value for a required field", "required fields") { broken in
      broken.creating = { fields in if fields["priority"] == nil { fields["priority"] = 0 } }
    },
    Fault("lets a field be set that only the server sets", "read-only fields", on: .limited) { broken in
      let made = Kept(Value?.none)
      broken.creating = { fields in
        made.value = fields["made"]
        fields["made"] = nil
      }
      broken.got = { record, _ in record.fields["made"] = made.value }
    },
    Fault("cuts text of the maximum length", "text at maximum length", on: .limited) { broken in
      broken.creating = Fault.changing { text in text.utf16.count == 20 ? String(text.dropLast()) : text }
    },
    Fault("cuts text that is too long", "text over maximum length", on: .limited) { broken in
      broken.creating = { fields in
        for (name, limit) in [("title", 80), ("body", 20)] {
          fields[name] = fields[name]?.text.map { .string(String($0.prefix(limit))) } ?? fields[name]
        }
      }
    },
  ]

  /// Returns true if the suite created a record.
  static func isOwn(_ record: Record) -> Bool {
    record.fields["title"]?.text?.hasPrefix("switchboard-conformance-") == true
  }

  /// A change of every text of a record, also of those within lists and objects.
  static func changing(_ change: @escaping @Sendable (String) -> String) -> @Sendable (inout Object) -> Void {
    changingValues { value in value.text.map { .string(change($0)) } ?? value }
  }

  /// A change of every value of a record but lists and objects, also of those within them.
  static func changingValues(
    _ change: @escaping @Sendable (Value) -> Value
  ) -> @Sendable (inout Object) -> Void {
    @Sendable func changed(_ value: Value) -> Value {
      switch value {
      case .array(let elements): .array(elements.map(changed))
      case .object(let object): .object(Object(object.members.map { ($0.0, changed($0.1)) }))
      default: change(value)
      }
    }
    return { fields in fields = Object(fields.members.map { ($0.0, changed($0.1)) }) }
  }
}

extension HTTPExchange {
  /// Makes a record of the reference's past its adapter.
  func post(_ fields: Object) async throws(BackendError) {
    var fields = fields
    if fields["priority"] == .null { fields["priority"] = 1 }
    let request = HTTPRequest("POST", try RequestPath("notes"), body: .json(.object(fields)), effect: .write)
    _ = try await send(request)
  }

  /// Changes a record of the reference's past its adapter.
  func patch(_ id: String, _ fields: [String: Value]) async throws(BackendError) {
    let body: Value = ["set": .object(Object(fields.map { ($0.key, $0.value) })), "unset": []]
    _ = try await send(
      HTTPRequest("PATCH", try RequestPath("notes", id), body: .json(body), effect: .repeatableWrite))
  }
}

extension [UInt8] {
  fileprivate static func json(_ value: Value) -> [UInt8] { Array(JSONWriter.compact(value).utf8) }
}

extension BrokenBackend {
  /// Lets records say that they belong to somebody else.
  mutating func takeOthers(_ flag: WritableKeyPath<OwnedBackend, Bool> = \.takesOthers) {
    guard var owned = inner as? OwnedBackend else { return }
    owned[keyPath: flag] = true
    inner = owned
  }
}
