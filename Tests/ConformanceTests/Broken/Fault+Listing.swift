import BackendConformance
import BackendKit

extension Fault {
  static let listing: [Fault] = [
    Fault("begins again where a list was given up", "cursor of a stopped list") { broken in
      let isGivenUp = Kept(false)
      broken.hasEnough = { answer in
        isGivenUp.value = answer == .enough
        return answer
      }
      broken.query = { _, cursor in if isGivenUp.value { cursor = nil } }
    },
    Fault("does not know the cursor of a list that was given up", "cursor of a stopped list") { broken in
      let isGivenUp = Kept(false)
      broken.hasEnough = { answer in
        isGivenUp.value = answer == .enough
        return answer
      }
      broken.query = { _, cursor in if isGivenUp.value, cursor != nil { cursor = Cursor("no mark") } }
    },
    Fault("ends the list after its first page", "end of list") { broken in
      broken.page = { page, query, _ in if query.pageSize ?? 4 < 4 { page.end.next = nil } }
    },
    Fault("repeats a cursor", "pages of one record") { broken in
      broken.page = { page, _, _ in if page.end.next != nil { page.end.next = Cursor("offset:1") } }
    },
    Fault("turns the order round each time", "stable order") { broken in
      let count = Counter()
      broken.page = { page, _, cursor in
        if cursor == nil { _ = count.next() }
        if count.current % 2 == 0 { page.records.reverse() }
      }
    },
    Fault("sends a record twice", "stable order") { broken in
      broken.page = { page, _, _ in if let first = page.records.first { page.records.append(first) } }
    },
    Fault("sends more than was asked for", "pages of one record") { broken in
      broken.query = { query, _ in query.pageSize = query.pageSize.map { $0 + 1 } }
    },
    Fault("lists records without their identifier", "records have identifiers") { broken in
      broken.page = { page, _, _ in for place in page.records.indices { page.records[place].id = nil } }
    },
    Fault("shows another identifier than the record's", "records have identifiers") { broken in
      broken.page = { page, _, _ in for place in page.records.indices { page.records[place].fields["id"] = 0 } }
    },
    Fault("invents a default in lists", "list matches get") { broken in
      broken.page = { page, _, _ in
        for place in page.records.indices where page.records[place].fields["body"] == .null {
          page.records[place].fields["body"] = ""
        }
      }
    },
    Fault("leaves null fields out of lists", "list matches get") { broken in
      broken.page = { page, _, _ in
        for place in page.records.indices where page.records[place].fields["body"] == .null {
          page.records[place].fields["body"] = nil
        }
      }
    },
    Fault("leaves a field out that it does not declare", "omitted fields are declared") { broken in
      broken.page = { page, _, _ in
        for place in page.records.indices {
          page.records[place].fields["price"] = nil
          page.records[place].unloaded.append("price")
        }
      }
    },
    Fault("learns nothing from the server", "live description has fields") { broken in
      broken.description = { description, depth in if depth == .live { description.resources[0].fields = [] } }
    },
    Fault("overlooks fields of its sample", "sampled fields are described", on: .sampled) { broken in
      broken.description = { description, _ in description.resources[0].fields.removeAll { $0.name == "body" } }
    },
    Fault("tells of other kinds once the server was asked", "live field types") { broken in
      broken.description = { description, depth in
        guard depth == .live else { return }
        for place in description.resources[0].fields.indices { description.resources[0].fields[place].kind = .boolean }
      }
    },
    Fault("gives numbers as texts", "described field types") { broken in
      broken.page = { page, _, _ in
        for place in page.records.indices {
          page.records[place].fields["price"] = page.records[place].fields["price"].map {
            .string(JSONWriter.compact($0))
          }
        }
      }
    },
    Fault("lists a value that it does not describe", "described field types", on: .listing) { broken in
      broken.page = { page, _, _ in
        for place in page.records.indices { page.records[place].fields["status"] = "archived" }
      }
    },
    Fault("describes days as dates with a time", "described field types") { broken in
      broken.description = { description, _ in description.resources[0].fields.append(FieldDescription("due", .date)) }
      broken.page = { page, _, _ in
        for place in page.records.indices { page.records[place].fields["due"] = "2026-01-02" }
      }
    },
    Fault("describes a field as never null that is", "described field types") { broken in
      broken.description = { description, _ in
        for place in description.resources[0].fields.indices where description.resources[0].fields[place].name == "body"
        {
          description.resources[0].fields[place].isNullable = false
        }
      }
    },
    Fault("describes as unique what several records share", "described field types") { broken in
      broken.description = { description, _ in
        for place in description.resources[0].fields.indices where description.resources[0].fields[place].name == "done"
        {
          description.resources[0].fields[place].isUnique = true
        }
      }
    },
    Fault("describes as references what are none", "described field types") { broken in
      broken.description = { description, _ in
        guard let place = description.resources[0].fields.firstIndex(where: { $0.name == "title" }) else { return }
        description.resources[0].fields[place].reference = RecordReference(to: "notes")
      }
    },
    Fault("describes a field that no record has", "described field types") { broken in
      broken.description = { description, _ in
        description.resources[0].fields.append(FieldDescription("updated", .date, isReadOnly: true))
      }
    },
    Fault("describes a field less than there is", "no undescribed fields") { broken in
      broken.description = { description, _ in description.resources[0].fields.removeAll { $0.name == "price" } }
    },
    Fault("claims a projection that it does not make", "projection") { broken in
      broken.plan = { plan, _ in plan.fields = .exact }
      broken.query = { query, _ in query.fields = nil }
    },
    Fault("goes on after the sink had enough", "enough ends the list") { broken in broken.hasEnough = { _ in .more } },
    Fault("gives the sink's error another code", "sink error") { broken in
      broken.failing = { error, _ in
        if error.code == .conflict { error.code = .unavailable }
        return true
      }
    },
    Fault("takes a cut answer for a short page", "truncated list") { broken in
      broken.failing = { error, operation in operation != "list" || error.code != .badResponse }
    },
    Fault("marks a read as a write", "reads send read requests") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "list" { _ = try await exchange.send(HTTPRequest("GET", .base, effect: .write)) }
      }
    },
  ]

  private static let losesItsPlace: Fault = {
    // The law makes six records of its own before it walks, over another instance of the adapter.
    let made = Counter()
    return Fault("loses its place when a record is inserted", "insert while paging") { broken in
      broken.receipt = { _, operation in if operation == "create" { _ = made.next() } }
      broken.page = { page, _, cursor in
        if cursor != nil, made.current > 6, !page.records.isEmpty { page.records.removeFirst() }
      }
    }
  }()

  static let paging: [Fault] = [
    Fault("takes a negative skip for none", "invalid skip or page size") { broken in
      broken.query = { query, _ in query.skip = max(0, query.skip) }
    },
    Fault("tells the page size that was asked for", "reported page size") { broken in
      broken.page = { page, query, _ in page.end.pageSize = query.pageSize }
    },
    Fault("keeps its cap to itself", "reported page size") { broken in
      broken.page = { page, _, _ in page.end.pageSize = nil }
    },
    Fault("ignores that a page has one record", "pages of one record") { broken in
      broken.page = { page, query, _ in if query.pageSize == 1 { page.records = [] } }
    },
    Fault("loses the last page", "pages one record short") { broken in
      broken.page = { page, _, cursor in if cursor != nil, page.end.next == nil { page.records = [] } }
    },
    Fault("cuts a page as large as the list", "page of the whole list", on: .uncapped) { broken in
      broken.page = { page, query, _ in
        if page.records.count == query.pageSize, page.end.next == nil { page.records.removeLast() }
      }
    },
    Fault("fails for pages larger than the list", "page larger than list", on: .uncapped) { broken in
      broken.page = { page, query, _ in
        if page.end.next == nil, page.records.count == (query.pageSize ?? 0) - 1 { page.records = [] }
      }
    },
    Fault("drops the last record of an exact multiple", "full last page") { broken in
      broken.page = { page, query, _ in
        if page.end.next == nil, page.records.count == query.pageSize { page.records.removeLast() }
      }
    },
    Fault("sends one record less than the cap", "page at the cap") { broken in
      broken.query = { query, _ in if query.pageSize == 5 { query.pageSize = 4 } }
    },
    Fault("loses a record where more than the cap is asked for", "page above the cap") { broken in
      broken.page = { page, query, _ in if query.pageSize == 6, !page.records.isEmpty { page.records.removeLast() } }
    },
    Fault("ignores its default size", "default page size") { broken in
      broken.query = { query, _ in query.pageSize = query.pageSize ?? 5 }
    },
    Fault("leaks a record between pages", "cursor is repeatable") { broken in
      let count = Counter()
      broken.page = { page, _, cursor in
        if cursor != nil, count.next() % 2 == 0, let last = page.records.last { page.records.append(last) }
      }
    },
    Fault("skips one record too many", "skip records") { broken in
      broken.query = { query, _ in if query.skip > 0 { query.skip += 1 } }
    },
    Fault("begins again behind the end", "skip past the end") { broken in
      broken.query = { query, _ in if query.skip > 6 { query.skip = 0 } }
    },
    Fault("takes any cursor for the beginning", "invalid cursor") { broken in
      broken.query = { _, cursor in if cursor?.text.hasPrefix("offset:") != true { cursor = nil } }
    },
    Fault("has the server judge its cursors", "invalid cursor") { broken in
      broken.before = { [exchange = broken.exchange] operation throws(BackendError) in
        if operation == "list" { _ = try? await exchange.send(HTTPRequest("GET", .base, effect: .read)) }
      }
    },
    Fault("lies about the total", "total count") { broken in
      broken.page = { page, _, _ in page.end.total = page.records.count + 1 }
    },
    losesItsPlace,
    Fault("declares pages stable that shift", "delete on previous page") { broken in
      broken.description = { description, _ in description.resources[0].capabilities.stability = .stable }
    },
    Fault("repeats a record after a deletion", "delete on later page", on: .stable) { broken in
      let isDeleted = Counter()
      broken.receipt = { _, operation in if operation == "delete" { _ = isDeleted.next() } }
      broken.page = { page, _, _ in
        if isDeleted.current > 0, let first = page.records.first { page.records.insert(first, at: 0) }
      }
    },
  ]
}

extension Reference {
  /// Pages as large as one likes, by an offset.
  static let uncapped: Reference = {
    var capabilities = Capabilities.all
    capabilities.paging = .offset
    capabilities.defaultPageSize = 4
    return Reference(capabilities)
  }()
}
