/// The initial announcements of a new store.
enum GrailsSeeds {
  /// Title and body of the first `count` records: six of an intranet, then generated ones.
  static func announcements(count: Int?) -> [(title: String, body: String)] {
    let count = count ?? written.count
    let generated = count > written.count ? (written.count + 1...count).map(generated) : []
    return Array(written.prefix(count)) + generated
  }

  private static func generated(_ number: Int) -> (title: String, body: String) {
    let text = SeedText.paragraph(number)
      .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    return (SeedText.title(number), "<p>\(text)</p>")
  }

  private static let written: [(title: String, body: String)] = [
    (canteenTitle, canteen), ("New badge readers at all the doors", badges), (printRoomTitle, printRoom),
    ("Guided tour of the new data centre", tour), ("Names for the meeting rooms: “Alder” wins", rooms),
    ("Bicycle repair day in the courtyard on Saturday", bicycles),
  ]

  private static let canteenTitle = "Canteen closed on Friday, vouchers instead"
  private static let canteen = """
    <p>The canteen is closed on Friday because the floor of the kitchen is being sealed. Breakfast, lunch and the \
    afternoon cake are all affected, and so is the coffee bar beside the entrance &amp; its terrace.</p>
    <p>Lunch vouchers are valid at <a href="https://cafe.example.org/menu" target="_blank">the caf&eacute; next door</a> \
    between 11:30 and 14:00. Show the voucher together with your badge; the amount is limited to 9.50 for each person. \
    Whoever has ordered a special diet finds a box with the name on it at the reception.</p>
    <p>If you expect guests, please write <code>guests: "two", room: "Alder"</code> into the booking form by Wednesday \
    evening, so that trays with sandwiches can be brought to the meeting room.</p>
    <p>On Monday everything is as usual again: hot meals from 11:30, salad from 11:00, coffee from seven o'clock.</p>
    """

  private static let badges = """
    <p>From the first of next month on the doors open with <strong>the new badge readers</strong> only. The old white \
    cards stop working at midnight; the green ones&nbsp;&ndash; with the little antenna printed on the back&nbsp;&ndash; \
    go on working and need no change at all.</p>
    <p>Please come to the reception with your white card and any photo identification. The exchange takes about three \
    minutes, and you can choose a new photograph or keep <em>the old one</em>. Opening hours: 8:00&nbsp;&ndash;&nbsp;11:30 \
    and 13:00&nbsp;&ndash;&nbsp;16:00. On Thursday the desk stays open until 19:00 for the late shift.</p>
    <p>What the reader's light means: green is <code>open</code>, amber is <code>"wait: door in use"</code>, red is \
    <code>unknown card</code>. Three red lights in a row call the guard, who is friendly &amp; quick.</p>
    <p>The plan of all doors is <a href="intranet.example.org/doors" title="Plan of the doors">on the building's own \
    pages</a>; the rules for visitors are in <a href="https://example.org/visitors" rel="noopener" id="visitors">a page of \
    their own</a>. Questions go to <a href="mailto:badges@example.org">the badge desk</a>&nbsp;or to extension&nbsp;204.</p>
    <p><em>Works council note:</em> the readers keep the last opening for 24 hours and nothing beyond that. The agreement \
    can be read at the reception, and <strong>nobody's hours are counted</strong> by the doors.</p>
    """

  private static let printRoomTitle = "Moving day for the print room: the 14th"
  private static let printRoom = """
    <div class="notice"><p>The print room moves from the cellar to the second floor, next to the library. On the day of \
    the move, the 14th, nothing can be printed on paper larger than A4.</p></div>
    <p>What moves: the two large printers, the plotter, the cutter and the binding machine. What stays: the small printer \
    beside the stairs, which somebody has promised to repair.<br>The shelves with coloured paper go to the archive.</p>
    <p>Orders that must be ready on the 14th have to reach us by the 11th. Use <a href="https://print.example.org/order" \
    target="_blank">the order form</a>, <a href="https://print.example.org/formats">the list of formats</a> and, for \
    posters, <a href="https://print.example.org/posters">the poster template</a>.<br>Please do not send archives: the new \
    scanner refuses them.</p>
    <div class="video"><iframe src="//video.example.org/embed/print-room" width="560" height="315" frameborder="0" \
    allowfullscreen="" webkitallowfullscreen="" mozallowfullscreen=""></iframe></div>
    <p>Helping hands with a strong back are welcome from eight o'clock; there is breakfast.</p>
    """

  private static let tour = """
    <div class="video"><iframe src="//video.example.org/embed/data-centre-tour" width="560" height="315" frameborder="0" \
    allowfullscreen="" webkitallowfullscreen="" mozallowfullscreen=""></iframe></div>
    <p>The new data centre behind the car park is finished, and before it is locked for good everybody may have a look: \
    the cooling, the batteries and the long row of empty racks. Two of the people who built it show you around.</p>
    <p>There are four tours of twelve people each, on Tuesday at 10:00, 11:00, 14:00 and 15:00. Put your name on \
    <a href="https://example.org/tour" rel="noopener">the list</a> or ask <a href="https://example.org/team/ops">the \
    operations team</a>. Solid shoes are needed, and it is loud.</p>
    <p>Those who cannot come find photographs in <a href="https://photos.example.org/dc">the album</a> afterwards.</p>
    """

  private static let rooms = """
    <p>You have voted, and the meeting rooms have names at last. “Alder” is the large one on the ground floor, “Birch” the \
    one with the round table, “Cedar” the quiet one under the roof. The numbers stay on the doors until summer, so that \
    nobody gets lost.</p>
    <p>The calendar already knows both: whoever types the number finds the name. In <strong>old invitations</strong> \
    nothing has to be changed. A room’s equipment is listed in <a href="https://example.org/rooms" title="Rooms">the room \
    book</a>, where you can also report what is broken.</p>
    <p>Rules that many of you asked for:&nbsp;a booking that nobody begins within ten minutes is given up; windows are \
    closed by the last person; food stays in “Birch”, which has a floor that can be washed.</p>
    <p>Second places went to “Elm” &amp; “Fir”. They are kept for the rooms of the new wing, which opens next year. Thanks \
    to all 214 who took part, and to the drawing group for the signs: <em>they’re lovely</em>.</p>
    <p>Next vote: the colour of the chairs. It’s open until the end of the month.</p>
    """

  private static let bicycles = """
    <div><p>On Saturday from ten to four a mechanic is in the courtyard and helps to make bicycles ready for the winter: \
    brakes, lights, chains and tyres. The help is free, parts are paid for at cost.</p></div>
    <p>Bring your bicycle clean, please.&nbsp;There is a hose beside the gate. Tools are there, too; if you have a special \
    key for your saddle or your battery, do not forget it.<br>Children's bicycles come first, between ten and eleven.</p>
    <p>A list of frequent faults, with pictures, is in <a href="https://bikes.example.org/faults">the repair book</a>, and \
    <a href="https://bikes.example.org/parts" target="_blank">the parts</a> can be ordered until Thursday. Lost keys of \
    bicycle locks are collected at <a href="https://example.org/reception">the reception</a>.</p>
    <div><iframe src="//maps.example.org/embed/courtyard" width="400" height="300" frameborder="0"></iframe></div>
    <p>If it rains, we meet in the bicycle cellar. Coffee comes from the roof garden group &amp; costs a smile.</p>
    """
}
