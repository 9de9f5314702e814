import Foundation

/// The same titles for every dialect of the demo server, in the same order, each in its dialect's own shape.
enum UniformData {
  /// Parts of titles that have tripped a server, an adapter or a shell; no blanks at the ends, since Grails trims them.
  private static let awkward = [
    "公司年会通知", "书店", "书店 二楼", "新書展覽,第%d場", "書評:《西遊記》第%d回", "Zoë's café", "zoë's café", "ZOË'S CAFÉ",
    "🎉 party", "👩‍👩‍👧 picnic %d", "\u{1F600}\u{FF5E} beyond \u{FFFD}", "\u{FF21}\u{FF22} full width",
    "comma, \"quote\" and 'apostrophe'", "back\\slash \\n %d", "100% of a_b", "semi;colon & ampersand=1", "a+b=c?",
    "a#b/c",
    "<b>bold</b>", "[.*] (x|y)^$ %d", "{\"json\": [1, 2]}", "e\u{301}clair decomposed", "\u{E9}clair composed",
    "Straße", "STRASSE", "İstanbul %d", "istanbul %d", "ΣΑΣ", "σας", "Łódź %d", "null", "true", "false", "007", "7",
    "7.0",
    "1e3", "-5", "2017-01-02", "2017-01-02T03:04:05Z", "tab\there", "two  spaces", "Moving %d", "moving %d",
    "MOVING %d",
    "Room %d", "room, %d", "x", "X",
  ]

  /// So many titles.
  static func titles(_ count: Int) -> [String] {
    (0..<count).map { number in
      // The first hundred have equal titles among them.
      let form = awkward[number % awkward.count]
      return form.contains("%d")
        ? form.replacing("%d", with: String(number)) : number < 100 ? form : "\(form) \(number)"
    }
  }

  /// The records in the shape that `--import` takes.
  static func imported(_ titles: [String]) throws -> String {
    let records = titles.enumerated()
    let data: [String: Any] = [
      "grails": ["announcements": records.map { ["title": $1, "body": "<p>\($0)</p>"] }],
      "kitura": [
        "todos": records.map { ["title": $1, "user": "jane", "order": $0, "completed": $0 % 2 == 0] as [String: Any] }
      ],
      "jsonplaceholder": [
        "users": [["id": 1, "name": "Ana"]],
        "todos": records.map {
          ["id": identifier($0, plain: $0 + 1), "userId": 1, "title": $1, "completed": $0 % 2 == 0] as [String: Any]
        },
      ],
      "baasic": [
        "resources": [
          "todo": records.map {
            ["id": identifier($0, plain: "r\($0)"), "title": $1, "isComplete": $0 % 2 == 0] as [String: Any]
          }
        ]
      ],
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: data), as: UTF8.self)
  }

  /// Servers whose identifiers are texts have some that need escaping in a path: by the places of their records.
  static let awkwardIdentifiers = [3: "a b+c", 5: "50%25", 8: "店/二?x=1#y", 11: "0012", 14: "..é'\""]

  private static func identifier(_ number: Int, plain: Any) -> Any { awkwardIdentifiers[number] ?? plain }
}
