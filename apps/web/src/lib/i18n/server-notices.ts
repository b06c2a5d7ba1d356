/** What the server tells somebody at home unasked, in the banner. */
export const noticeSentences: Readonly<Record<string, string>> = {
  'Another account has verified your phone number. It was removed from your profile.':
    'अर्को खाताले तपाईंको फोन नम्बर पुष्टि गर्‍यो। यो तपाईंको प्रोफाइलबाट हटाइयो।'
}

type Shape = readonly [shape: RegExp, nepali: string]

/** A schedule that was missed: which switch, when, of which board, and why; then how many more were. */
const missedActions = { ON: 'बलेन', OFF: 'निभेन' }
const missedReasons = {
  'was offline': '{3} अफलाइन थियो',
  'did not respond': '{3} बाट जवाफ आएन',
  refused: '{3} ले मानेन',
  'could not be reached, because the server was down': 'सर्भर बन्द भएकाले {3} सम्म पुगिएन'
}
const missedShapes = Object.entries(missedActions).flatMap(([action, notDone]) =>
  Object.entries(missedReasons).flatMap(([reason, because]): Shape[] => {
    const english = `^(.+) was not turned ${action} at (\\d\\d:\\d\\d): (.+) ${reason}`
    const nepali = `{1} {2} मा ${notDone}: ${because}`
    return [
      [new RegExp(`${english}\\.$`), `${nepali}।`],
      [
        new RegExp(`${english}, and (\\d+) more schedules? (?:was|were) missed\\.$`),
        `${nepali}। थप {4} वटा समयतालिका छुटे।`
      ]
    ]
  })
)

export const noticeShapes: readonly Shape[] = [
  ...missedShapes,
  [
    /^Two boards use the credentials of (.+)\. It is kept out for ten minutes; set it up again to give it new ones\.$/,
    '{1} को पहिचान दुई बोर्डले प्रयोग गर्दैछन्। यसलाई दस मिनेट बाहिर राखिएको छ; नयाँ पहिचान दिन फेरि जोड्नुहोस्।'
  ],
  [
    /^Somebody tried to set up your board (.+) again\. It stays yours\.$/,
    'कसैले तपाईंको बोर्ड {1} फेरि जोड्न खोज्यो। यो तपाईंकै रहन्छ।'
  ]
]
