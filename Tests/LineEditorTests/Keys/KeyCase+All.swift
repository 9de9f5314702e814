extension KeyCase {
  /// The history before each case, oldest first.
  static let history = ["get 公告 3", "list album", "update 5", "list todos --all"]

  static let all = moving + changing + words + recalling + suggesting + rows + completing + ending + commandMode

  private static let moving = [
    KeyCase("Control-A", .type("ab 公 cd"), .keys("C-a"), sees: .line("ab 公 cd", at: 0)),
    KeyCase("Home", .type("ab 公 cd"), .keys("Home"), sees: .line("ab 公 cd", at: 0)),
    KeyCase("Control-E", .type("ab 公 cd"), .keys("C-a", "C-e"), sees: .line("ab 公 cd")),
    KeyCase("End", .type("ab 公 cd"), .keys("C-a", "End"), sees: .line("ab 公 cd")),
    KeyCase("Left", .type("ab 公告"), .keys("Left", "Left"), sees: .line("ab 公告", at: 3)),
    KeyCase("Control-B", .type("ab 公告"), .keys("C-b", "C-b"), sees: .line("ab 公告", at: 3)),
    KeyCase("Right", .type("公告 ab"), .keys("C-a", "Right", "Right"), sees: .line("公告 ab", at: 2)),
    KeyCase("Control-F", .type("公告 ab"), .keys("C-a", "C-f"), sees: .line("公告 ab", at: 1)),
    KeyCase(
      "over several rows", .type("公告 abcdefghijklmnopqrstuvwxyz 公告 abcdefghijklmnopqrs"),
      .keys("C-a", "Right", "Right", "Right"), .type("X"),
      sees: .line("公告 Xabcdefghijklmnopqrstuvwxyz 公告 abcdefghijklmnopqrs", at: 4)),
  ]

  private static let changing = [
    KeyCase("Backspace", .type("ab公告"), .keys("BSpace", "Left", "BSpace"), sees: .line("a公", at: 1)),
    KeyCase("Control-H", .type("ab公告"), .keys("C-h"), sees: .line("ab公")),
    KeyCase("Delete", .type("ab公告"), .keys("Left", "Left", "DC"), sees: .line("ab告", at: 2)),
    KeyCase("Control-K", .type("ab 公告 cd"), .keys("C-a", "Right", "C-k"), sees: .line("a")),
    KeyCase("Control-U", .type("ab 公告 cd"), .keys("Left", "C-u"), sees: .line("d", at: 0)),
    KeyCase("Control-W", .type("ab 公告 cd"), .keys("C-w", "C-w"), sees: .line("ab ")),
    KeyCase(
      "Control-Y", .type("ab 公告 cd"), .keys("C-a", "C-k", "C-y", "C-y"),
      sees: .line("ab 公告 cdab 公告 cd")),
    KeyCase("Control-T", in: [.emacs], .type("ab公"), .keys("C-t"), sees: .line("a公b")),
    KeyCase(
      "Control-_", .type("ab"), .keys("C-u"), .type("cd"), .see(.line("cd")), .keys("C-u", "C-_"), .see(.line("cd")),
      .keys("C-_", "C-_"), sees: .line("ab")),
    KeyCase(
      "Control-X Control-U", .type("ab公"), .see(.line("ab公")), .keys("C-w", "C-x", "C-u"), sees: .line("ab公")),
    KeyCase("typing within wide text", .type("公告🎉"), .keys("Left", "Left"), .type("新"), sees: .line("公新告🎉", at: 2)),
    KeyCase(
      "a combining mark", .type("abe\u{301}"), .keys("Left", "Left"), .type("X"), .keys("C-e", "BSpace"),
      sees: .line("aXb")),
    KeyCase(
      "letters of several characters", .type("a"), .paste("q\u{301}e\u{301}"), .type("b"),
      .keys("Left", "Left", "BSpace"),
      .keys("DC"), sees: .line("ab", at: 1)),
    KeyCase("Control-D within a line", in: [.emacs], .type("ab"), .keys("C-a", "C-d"), sees: .line("b", at: 0)),
    KeyCase("a paste", .type("x "), .paste("公告 1\n\tb\n"), sees: .lines("probe> x 公告 1", "        b")),
    KeyCase(
      "a paste taller than the window", .paste((1...40).map { "\($0)\n" }.joined()),
      sees: .line("[paste 1: 40 lines]")),
    KeyCase(
      "two tall pastes", .paste((1...40).map { "\($0)\n" }.joined()), .type("x"),
      .paste(String(repeating: "公", count: 3000)), .keys("C-a"),
      sees: .line("[paste 1: 40 lines]x[paste 2: 3000 characters]", at: 0)),
    KeyCase("Control-X Control-E", .type("a one 公"), .keys("C-x", "C-e"), sees: .line("a two 公")),
    KeyCase(
      "Control-L", .type("ab"), .keys("Enter"), .see(.lines("probe> ab", "read [ab]", "probe> ")), .type("cd"),
      .keys("C-l"), sees: .line("cd")),
  ]

  private static let words = [
    KeyCase("Control-Left", .type("ab 公告 cd"), .keys("C-Left", "C-Left"), sees: .line("ab 公告 cd", at: 3)),
    KeyCase("Control-Right", .type("ab 公告 cd"), .keys("C-a", "C-Right"), sees: .line("ab 公告 cd", at: 2)),
    KeyCase("Alt-B", in: [.emacs], .type("ab 公告 cd"), .keys("M-b", "M-b"), sees: .line("ab 公告 cd", at: 3)),
    KeyCase("Alt-F", in: [.emacs], .type("ab 公告 cd"), .keys("C-a", "M-f"), sees: .line("ab 公告 cd", at: 2)),
    KeyCase("Alt-D", in: [.emacs], .type("ab 公告 cd"), .keys("C-a", "M-d"), sees: .line(" 公告 cd", at: 0)),
    KeyCase("Alt-Backspace", in: [.emacs], .type("ab 公告 cd"), .keys("M-BSpace"), sees: .line("ab 公告 ")),
  ]

  private static let recalling = [
    KeyCase("Up", .keys("Up", "Up"), sees: .line("update 5")),
    KeyCase("Up after a beginning", .type("list "), .keys("Up", "Up"), sees: .line("list album")),
    KeyCase("Down", .type("ge"), .keys("Up", "Down"), sees: .line("ge", suggesting: "t 公告 3")),
    KeyCase("Control-P and Control-N", .keys("C-p", "C-p", "C-p", "C-n"), sees: .line("update 5")),
    KeyCase("Control-R", .keys("C-r"), .type("公"), sees: .lines("search '公': get 公告 3", at: 16)),
    KeyCase(
      "Control-R again", .keys("C-r"), .type("l"), .keys("C-r"), .type("i"), .keys("End"), sees: .line("list album")),
    KeyCase(
      "Control-S in a search", .keys("C-r"), .type("list"), .keys("C-r", "C-s", "Right"),
      sees: .line("list todos --all", at: 1)),
    KeyCase("Control-G in a search", .type("draft"), .keys("C-r"), .type("upd"), .keys("C-g"), sees: .line("draft")),
    KeyCase("a search in vain", .keys("C-r"), .type("xy"), sees: .lines("no line has 'xy': ")),
  ]

  private static let suggesting = [
    KeyCase("a suggestion", .type("ge"), sees: .line("ge", suggesting: "t 公告 3")),
    KeyCase("Right takes it", .type("ge"), .keys("Right"), sees: .line("get 公告 3")),
    KeyCase("End takes it", .type("up"), .keys("End"), sees: .line("update 5")),
    KeyCase("Control-F takes it", .type("up"), .keys("C-f"), sees: .line("update 5")),
    KeyCase(
      "Control-Right takes a word", .type("ge"), .keys("C-Right", "C-Right"), sees: .line("get 公告", suggesting: " 3")),
    KeyCase("Alt-F takes a word", in: [.emacs], .type("ge"), .keys("M-f"), sees: .line("get", suggesting: " 公告 3")),
  ]

  private static let rows = [
    KeyCase("Enter within a quote", .type("say '公"), .keys("Enter"), sees: .lines("probe> say '公", "...> ")),
    KeyCase(
      "Enter after the quote", .type("say '公"), .keys("Enter"), .see(.lines("probe> say '公", "...> ")),
      .type("b'"), .keys("Enter"), sees: .lines("probe> say '公", "...> b'", "read [say '公|b']", "probe> ")),
    KeyCase(
      "Up in the second row", .type("say '公"), .keys("Enter"),
      .see(.lines("probe> say '公", "...> ")), .type("b"), .keys("Up"), .type("X"),
      sees: .lines("probe> say '公X", "b", cursorLine: 1)),
    KeyCase(
      "Up and Down within one text", .paste("ab\ncd\nef"), .keys("Up", "Up", "Down"), .type("X"),
      sees: .lines("probe> ab", "cdX", "ef", cursorLine: 1)),
    KeyCase(
      "Control-C in the second row", .type("say '"), .keys("Enter"), .see(.lines("probe> say '", "...> ")),
      .type("b"), .keys("C-c"), sees: .lines("probe> say '", "...> b^C", "interrupted", "probe> ")),
    KeyCase(
      "the editor gets all rows", .type("say 'one"), .keys("Enter"),
      .see(.lines("probe> say 'one", "...> ")), .type("b'"), .keys("C-x", "C-e"),
      sees: .lines("probe> say 'two", "b'")),
  ]

  private static let completing = [
    KeyCase("Tab inserts what all share", .type("x an"), .keys("Tab"), sees: .line("x announce")),
    KeyCase("Tab ends the only one", .type("to"), .keys("Tab"), .type("x"), sees: .line("todo x")),
    KeyCase(
      "Tab lists several", .type("列表 x"), .keys("Left", "Left", "Tab"),
      sees: .lines("probe> 列表 x", "列表一  列表二", "probe> 列表 x", at: 9)),
    KeyCase(
      "Tab within several rows", .type("abcdefghijklmnopqrstuvw 列表 x"), .keys("Left", "Left", "Tab"),
      sees: .lines(
        "probe> abcdefghijklmnopqrstuvw 列表 x", "列表一  列表二", "probe> abcdefghijklmnopqrstuvw 列表 x", at: 33)),
  ]

  private static let ending = [
    KeyCase("Enter", .type("公a"), .keys("Left", "Enter"), sees: .lines("probe> 公a", "read [公a]", "probe> ")),
    KeyCase("Control-J", .type("公a"), .keys("C-j"), sees: .lines("probe> 公a", "read [公a]", "probe> ")),
    KeyCase("Control-C", .type("公a"), .keys("Home", "C-c"), sees: .lines("probe> 公a^C", "interrupted", "probe> ")),
    KeyCase("Control-D on an empty line", .keys("C-d"), sees: .lines("probe> ^D", "end of file", "")),
  ]

  private static let commandMode = [
    KeyCase("Escape", in: [.vi], .type("ab公"), .keys("Escape"), sees: .line("ab公", at: 2)),
    KeyCase("h and l", in: [.vi], .type("ab公 c"), .keys("Escape"), .type("hhl"), sees: .line("ab公 c", at: 3)),
    KeyCase(
      "0 and $", in: [.vi], .type("ab公 cd"), .keys("Escape"), .type("0$i"), .type("X"), sees: .line("ab公 cXd", at: 6)),
    KeyCase("w and b", in: [.vi], .type("ab 公告 cd"), .keys("Escape"), .type("bb"), sees: .line("ab 公告 cd", at: 3)),
    KeyCase("x", in: [.vi], .type("ab公"), .keys("Escape"), .type("x"), sees: .line("ab", at: 1)),
    KeyCase("dw and u", in: [.vi], .type("ab 公告"), .keys("Escape"), .type("0dwu"), sees: .line("ab 公告", at: 0)),
    KeyCase(
      "p", in: [.vi], .type("ab 公告"), .keys("Escape"), .type("0dwA"), .keys("Escape"), .type("p"),
      sees: .line("公告ab ", at: 2)),
    KeyCase("k and j", in: [.vi], .type("x"), .keys("Escape"), .type("kkj"), sees: .line("list todos --all", at: 0)),
    KeyCase("a", in: [.vi], .type("ab"), .keys("Escape"), .type("0aX"), sees: .line("aXb", at: 2)),
    KeyCase(
      "a search with /", in: [.vi], .type("abc"), .keys("Escape"), .type("/"), .see(.lines("probe> ", "/")),
      .type("alb"),
      .see(.lines("probe> ", "/alb")), .keys("Enter"), sees: .line("list album", at: 0)),
    KeyCase("v", in: [.vi], .type("one 公"), .keys("Escape"), .type("v"), sees: .line("two 公")),
    KeyCase(
      "Enter in command mode", in: [.vi], .type("ab"), .keys("Escape", "Enter"),
      sees: .lines("probe> ab", "read [ab]", "probe> ")),
  ]
}
