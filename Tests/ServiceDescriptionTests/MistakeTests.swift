import BackendKit
import Testing

@testable import ServiceDescription

@Suite struct MistakeTests {
  /// Returns the mistakes reported for a description; empty if it is correct.
  private func reported(_ text: String) -> [String] {
    do {
      _ = try Description(reading: Array(text.utf8), file: "api.yaml").service()
      return []
    } catch { return error.reported.map(\.description) + (error.others > 0 ? ["\(error.others) more"] : []) }
  }

  @Test func `every mistake is reported at once, each with its line, its keys and what would be right`() {
    #expect(
      reported(
        """
        prodcut: Acme
        page: {style: pages}
        resources:
          todos:
            size: {default: 0}
            fields: {done: bool, title: {type: text, requird: true}}
            filter: [done]
            delete: yes
        """) == [
          "api.yaml:1: prodcut: unknown key; did you mean product?",
          """
          api.yaml:2: page.style: "pages" is not one of the choices; choices: none, untested, number, offset, range, \
          cursor, after, link
          """,
          "api.yaml:5: resources.todos.size.default: 0 is out of range; it is a whole number from 1 to 1000000000",
          """
          api.yaml:6: resources.todos.fields.done: "bool" is not one of the choices; choices: text, html, integer, \
          number, boolean, date, day, object, list, any (did you mean boolean?)
          """,
          "api.yaml:6: resources.todos.fields.title.requird: unknown key; did you mean required?",
          """
          api.yaml:7: resources.todos.filter: expected a map, not a list; its keys: fields, \
          conditions, language, unknownField, repeatedParameter, source
          """,
          """
          api.yaml:8: resources.todos.delete: expected a map, not a text; its keys: method, path, \
          parameters, headers, body, atCollection, soft, readsFirst, deleteAll, orphanSuffix, source
          """,
        ])
  }

  @Test func `a key of a resource at the top is told where it belongs`() {
    #expect(
      reported("preset: plain\nfields: {id: integer}\nresources: {todos: {}}\n") == [
        "api.yaml:2: fields: unknown key; it belongs below resources.NAME"
      ])
  }

  @Test func `a write at the collection has to name its record`() {
    #expect(
      reported(
        """
        resources:
          a: {update: {method: POST, atCollection: true, extraMembers: {kind: x}}}
          b: {delete: {atCollection: true}}
          c: {update: {atCollection: true, parameters: {key: "{id}"}}}
        """) == [
          """
          api.yaml:2: resources.a.update.atCollection: the identifier is in none of path, parameters, extraMembers; \
          for example extraMembers: {id: "{id}"}
          """,
          """
          api.yaml:3: resources.b.delete.atCollection: the identifier is in none of path, parameters, body; \
          for example body: {id: "{id}"}
          """,
        ])
  }

  @Test func `a name in braces has to stand for something`() {
    #expect(
      reported(
        """
        resources:
          a: {identifier: {fields: [x, y]}, update: {parameters: {x: "{x}"}, extraMembers: {key: ["{ident}"]}}}
          b: {delete: {body: {query: "mutation {drop(id: {id}) {ok}}", key: "{ID}"}}}
          c: {create: {parameters: {key: "{name}"}}}
          d: {actions: {move: {path: "move/{to_id}", fields: {from: text}}}}
          e: {paths: {item: "items/read?id={ID}"}}
          f: {paths: {item: "shops/{owner}/notes/{id}"}, owners: {d: {field: shop}}}
          g: {job: {statusUrl: {path: "tasks/{task}", id: task}}}
          h: {paths: {collection: "x/{shop_id}"}, delete: {path: "{key}"}}
        """) == [
          """
          api.yaml:2: resources.a.update.extraMembers: {ident} is not a placeholder; placeholders: {id}, {x}, {y}
          """,
          "api.yaml:3: resources.b.delete.body: {ID} is not a placeholder; placeholders: {id}",
          "api.yaml:4: resources.c.create.parameters: {name} is not a placeholder; placeholders: {id}",
          "api.yaml:5: resources.d.actions.move.path: {to_id} is not a placeholder; placeholders: {from}",
          "api.yaml:6: resources.e.paths.item: {ID} is not a placeholder; placeholders: {id}",
          "api.yaml:7: resources.f.paths.item: {owner} is not a placeholder; placeholders: {id}, {shop}",
          "api.yaml:8: resources.g.job.statusUrl.path: {task} is not a placeholder; placeholders: {id}",
          "api.yaml:9: resources.h.paths.collection: {shop_id} is not a placeholder; placeholders: {resource}",
          "api.yaml:9: resources.h.delete.path: {key} is not a placeholder; placeholders: {id}",
        ])
  }

  @Test func `a minimum is no more than the maximum`() {
    #expect(
      reported(
        """
        resources:
          a: {fields: {n: {type: integer, minimum: 3, maximum: 2}, m: {type: integer, minimum: 2, maximum: 2}}}
          b: {fields: {t: {type: text, minimumLength: 3, maximumLength: 2}}}
        """) == [
          "api.yaml:2: resources.a.fields.n.minimum: the minimum is more than the maximum",
          "api.yaml:3: resources.b.fields.t.minimumLength: the minimum length is more than the maximum",
        ])
  }

  @Test func `facts that contradict others are mistakes`() {
    #expect(
      reported(
        """
        resources:
          a: {size: {default: 100, maximum: 50}, end: {when: [pages]}}
          b: {fields: {n: {type: integer, serverDefault: many}, f: {type: boolean, default: 'no'}}}
          c: {fields: {t: {type: text, values: [1, 2], minimum: 5}, s: {type: text, values: [x], default: y}}}
          d: {update: {clear: remove}}
          e: {fields: {note: {type: text, clear: remove}}, update: {}}
          f: {job: {state: status, pending: [running]}}
          g: {job: {state: status, pending: [running, done], done: [done]}}
          h: {job: {statusUrl: {header: Location, member: task}, done: [ok]}}
          i: {fields: {region: text, code: text}, identifier: {fields: [region, cod]}, update: {drop: [regio, etag]}}
          j:
            fields: {id: integer, version: integer}
            sort: {parameter: s, default: -idd}
            revision: {from: field, field: versoin}
        """) == [
          "api.yaml:2: resources.a.size.default: the default is more than the maximum",
          """
          api.yaml:2: resources.a.end.when: page.pageCount is missing, by which pages are counted; \
          for example pageCount: {member: pages}
          """,
          #"api.yaml:3: resources.b.fields.n.serverDefault: n must be a 64-bit integer, not "many""#,
          "api.yaml:3: resources.b.fields.f.default: f must be true or false, not a text",
          "api.yaml:4: resources.c.fields.t.minimum: only numbers can have a minimum; write minimumLength",
          "api.yaml:4: resources.c.fields.t.values: t must be text, not a number",
          #"api.yaml:4: resources.c.fields.s.default: s must be one of x, not "y""#,
          """
          api.yaml:5: resources.d.update.clear: only a JSON Patch has the operation `remove`; \
          add patchFormat: jsonPatch to update
          """,
          """
          api.yaml:6: resources.e.fields.note.clear: only a JSON Patch has the operation `remove`; \
          add patchFormat: jsonPatch to update
          """,
          "api.yaml:7: resources.f.job: done is missing; for example done: [succeeded]",
          #"api.yaml:8: resources.g.job.done: "done" is among the states of pending, too"#,
          "api.yaml:9: resources.h.job.statusUrl: only one of header and member can be given",
          """
          api.yaml:9: resources.h.job.done: state is missing, where the response has one of these; \
          for example state: status
          """,
          #"api.yaml:10: resources.i.identifier.fields.1: no field is named "cod"; did you mean code?"#,
          #"api.yaml:10: resources.i.update.drop.0: no field is named "regio"; did you mean region?"#,
          #"api.yaml:13: resources.j.sort.default: no field is named "idd"; did you mean id?"#,
          #"api.yaml:14: resources.j.revision.field: no field is named "versoin"; did you mean version?"#,
        ])
  }

  @Test func `what may be right is no contradiction`() {
    #expect(
      reported(
        """
        preset: link-header
        size: {maximum: 10}
        create: {drop: [regio]}
        resources:
          a:
            fields: {region: text, size: integer}
            update: {drop: [_size, etag]}
            revision: {from: field, field: version}
            sort: {parameter: s, default: created, fields: [created]}
          b: {fields: {price: {type: number, format: decimal, default: "1.50"}, on: {type: boolean, numericBoolean: true, default: 1}}}
          c: {fields: {regions: text}, additionalFields: true, update: {drop: [region], patchFormat: jsonPatch, clear: remove}}
          d: {fields: {n: {type: integer, values: [a], likely: [values]}, t: {type: text, minimum: 1, likely: [type]}}}
        """) == [])
  }

  @Test func `a new record that only its location shows has to be readable there`() {
    #expect(
      reported(
        """
        create: {returns: location}
        resources:
          a: {paths: {item: null}, create: {}}
          b: {paths: {item: null}, create: null}
          c: {paths: {item: null}, create: {returns: nothing}}
          d: {create: {}}
        """) == [
          """
          api.yaml:1: create.returns: a new record of a cannot be read at its location: paths.item is null; \
          write returns: nothing, or create: null if a takes no new records
          """
        ])
  }

  @Test func `no parameter of an item and no member of a body names another method`() {
    #expect(
      reported(
        """
        resources:
          a: {paths: {item: "get?_method=DELETE&id={id}"}}
          b: {paths: {item: "get?={id}"}}
        """) == [
          """
          api.yaml:2: resources.a.paths.item: _method cannot be described; it would turn this into a different request; \
          leave it out here
          """,
          """
          api.yaml:3: resources.b.paths.item: "get?={id}" is not a valid path to one record; below, key, self or a path with {id}
          """,
        ])
    #expect(
      reported("create: {extraMembers: {_method: DELETE}}") == [
        """
        api.yaml:1: create.extraMembers._method: _method cannot be described; it would turn this into a different request; \
        leave it out here
        """
      ])
  }

  @Test func `only numbers can have a format, and fields are cleared by type`() {
    #expect(
      reported("resources: {a: {fields: {price: {type: text, format: decimal}}}}") == [
        "api.yaml:1: resources.a.fields.price.format: only numbers can have a format; add type: number"
      ])
    #expect(
      reported("update: {clear: {texts: emptyText}}") == [
        """
        api.yaml:1: update.clear.texts: "texts" is not one of the choices; choices: text, html, integer, number, boolean, \
        date, day, object, list, any (did you mean text?)
        """
      ])
  }

  @Test func `a method that is misspelled is reported wherever one may be named`() {
    #expect(
      reported(
        """
        update: {method: FETCH, replaceMethod: put}
        delete: {method: GET}
        resources:
          todos: {create: {method: PSOT}, actions: {close: {method: FETCH}}}
        """) == [
          "api.yaml:1: update.method: \"FETCH\" is not one of the choices; choices: POST, PUT, PATCH, DELETE, MERGE",
          """
          api.yaml:1: update.replaceMethod: "put" is not one of the choices; choices: POST, PUT, PATCH, DELETE, MERGE \
          (did you mean PUT?)
          """,
          "api.yaml:2: delete.method: \"GET\" is not one of the choices; choices: POST, PUT, PATCH, DELETE, MERGE",
          """
          api.yaml:4: resources.todos.create.method: "PSOT" is not one of the choices; choices: POST, PUT, PATCH, DELETE, \
          MERGE (did you mean POST?)
          """,
          """
          api.yaml:4: resources.todos.actions.close.method: "FETCH" is not one of the choices; choices: GET, POST, PUT, \
          PATCH, DELETE, MERGE
          """,
        ])
  }

  @Test func `at most twenty mistakes are reported, and how many more there are`() {
    let text = (1...33).map { "key\($0): 1" }.joined(separator: "\n")
    let reported = reported(text)
    #expect(reported.count == 21)
    #expect(reported.last == "13 more")
  }

  @Test func `what is said for all resources is reported once where it is wrong`() {
    #expect(
      reported("page: {style: cursor, parameter: after}\nresources: {a: {}, b: {}}") == [
        "api.yaml:1: page: next is missing; where a response has the next cursor"
      ])
  }

  @Test func `a resource that is named has to be there, unless any name may be tried`() {
    let text = """
      resources:
        posts: {fields: {author: {type: text, reference: user}}, owners: {blogs: {}}}
        users: {cascadeDeletes: [{resource: post, field: author}]}

      """
    #expect(
      reported(text) == [
        "api.yaml:2: resources.posts.fields.author.reference: unknown resource \"user\"; did you mean users?",
        "api.yaml:2: resources.posts.owners.blogs: unknown resource \"blogs\"; resources: posts, users",
        "api.yaml:3: resources.users.cascadeDeletes.0.resource: unknown resource \"post\"; did you mean posts?",
      ])
    #expect(reported(text + "fallbackResource: {}\n") == [])
  }

  @Test func `a preset that is not there is reported with the nearest one`() {
    #expect(reported("preset: plan") == ["api.yaml:1: preset: unknown preset \"plan\"; did you mean plain?"])
  }

  @Test func `a login is held against the same rules as in the configuration`() {
    let description = try? Description(
      reading: Array("login:\n  kind: key\n  heder: X-Key\n".utf8), file: "api.yaml")
    #expect {
      _ = try description?.login()
    } throws: { error in
      "\(error)" == "api.yaml:3: login.heder: unknown key; did you mean header?"
    }
  }

  @Test func `a description cannot set a header field with credentials`() {
    #expect(
      reported("base: {headers: {Authorization: Bearer x}}") == [
        "api.yaml:1: base.headers.Authorization: Authorization cannot be described; credentials belong in the login settings; leave it out here"
      ])
  }

  /// The limits of whole numbers in a kind of value.
  private static func limits(of shape: Shape) -> [ClosedRange<Int>] {
    switch shape {
    case .integer(let range): [range]
    case .list(let inner), .oneOrMore(let inner), .map(_, let inner): limits(of: inner)
    case .either(let first, let second): limits(of: first) + limits(of: second)
    case .text, .boolean, .any, .word, .section: []
    }
  }

  @Test func `every whole number has limits, whose products and sums are numbers still`() {
    let keys = Section.ordered.flatMap { section in section.keys.map { (section.name, $0) } }
    let numbers = keys.flatMap { section, key in Self.limits(of: key.shape).map { (section, key.name, $0) } }
    #expect(numbers.count > 10)
    for (section, name, range) in numbers {
      #expect(range.lowerBound >= 0 && range.upperBound <= 1_000_000_000, "\(section).\(name)")
    }
  }
}
