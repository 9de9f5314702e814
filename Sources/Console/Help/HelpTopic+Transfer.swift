extension HelpTopic {
  static let transfer = HelpTopic(
    "transfer", "export, import, copy, diff and sync",
    [
      .text(
        "Fields go to those of the same name. --map names others; what stands there is separated by commas, and can have a name of its own\nin the configuration (\"mappings\")."
      ),
      .table([
        ["title=name", "the field title comes from the field name; parts are written address.city"],
        ["user='ana'", "a text; also numbers, true, false and null"],
        ["name=first + ' ' + last", "texts one after the other"],
        ["user=lower(owner)", "also upper, trim, text, number, not"],
        ["title=first(title, name, 'none')", "the first that is there and not null"],
        ["note=", "left out"],
      ]),
      .text(
        "With --key, the values of these fields name a record on both sides; they have to be unique. Without it every record is created.\nIdentifiers are written only where the key is the identifier (--key id) and the service takes them.\n\nEverything is read and checked before the first write. A run that was killed goes on where it was: start the same command again. It\nwaits for requests that may still arrive (--settle), and looks for records of which it does not know whether they were created;\nwhat it cannot decide it names, and leaves out (status 6).\n\nWith --recheck, and always in production, a record is read again just before it is changed or deleted, and left as it is (a\nconflict) if it has changed since the plan was made."
      ),
    ],
    examples: [
      Command.Example(
        line: "copy todolist placeholder --map \"title=upper(title)\" userId:=1",
        says: "titles in capitals")
    ])
}
