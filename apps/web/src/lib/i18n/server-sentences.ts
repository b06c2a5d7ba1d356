import type { ErrorCode } from '@batti/contracts'
import { figureInNepali, wordsInNepali } from './server-parts.ts'
import { missedInNepali, noticeSentences, noticeShapes } from './server-notices.ts'
import { staffSentences, staffShapes } from './server-sentences-staff.ts'

/** Fixed messages of the server to users. */
const sentences: Readonly<Record<string, string>> = {
  ...staffSentences,
  ...noticeSentences,
  'Please log in.': 'कृपया लगइन गर्नुहोस्।',
  'That outlet of the board has a switch already.': 'बोर्डको त्यो आउटलेटमा पहिल्यै स्विच छ।',
  'That token belongs to another account.': 'त्यो लगइन अर्को खाताको हो।',
  'The session cookie is accepted from our own pages only.': 'लगइनको कुकी हाम्रै पृष्ठबाट मात्र चल्छ।',
  'That call does not exist. See /docs.': 'यस्तो अनुरोध छैन। /docs हेर्नुहोस्।',
  'That is not an HTTP request.': 'यो HTTP अनुरोध होइन।',
  'Wrong email, phone number or password.': 'इमेल, फोन नम्बर वा पासवर्ड मिलेन।',
  'Your session has expired. Please log in again.': 'तपाईंको लगइनको म्याद सकियो। फेरि लगइन गर्नुहोस्।',
  'Your password is not correct.': 'तपाईंको पासवर्ड मिलेन।',
  'Your old password is not correct.': 'पुरानो पासवर्ड मिलेन।',
  'The new password must differ from the old one.': 'नयाँ पासवर्ड पुरानोभन्दा फरक हुनुपर्छ।',
  'This password is too easy to guess. Choose one that nobody would try first.':
    'यो पासवर्ड सजिलै अनुमान गर्न सकिन्छ। कसैले पहिल्यै नखोज्ने पासवर्ड छान्नुहोस्।',
  'Please enter your password to change your email or phone.': 'इमेल वा फोन बदल्न आफ्नो पासवर्ड दिनुहोस्।',
  'Please enter a phone number with country code such as +9779812345678.':
    'देशको कोडसहितको फोन नम्बर दिनुहोस्, जस्तै +9779812345678।',
  'This code is invalid or has expired. Please ask for a new one.': 'यो कोड मिलेन वा म्याद सकियो। नयाँ कोड माग्नुहोस्।',
  'This code is invalid or has expired. Check its digits, or sign up again.':
    'यो कोड मिलेन वा म्याद सकियो। अङ्क जाँच्नुहोस्, वा फेरि दर्ता गर्नुहोस्।',
  'This link is invalid or has expired. Please ask for a new one.': 'यो लिङ्क मिलेन वा म्याद सकियो। नयाँ लिङ्क माग्नुहोस्।',
  'Another account has this email.': 'यो इमेल अर्को खाताको हो।',
  'Phone number must be exactly 10 digits.': 'फोन नम्बर ठीक १० अङ्कको हुनुपर्छ।',
  'Please enter an email such as sita@example.com.': 'sita@example.com जस्तो इमेल लेख्नुहोस्।',
  'Enter the name of the Wi-Fi network too.': 'वाइफाइ नेटवर्कको नाम पनि लेख्नुहोस्।',
  'A switch cannot move to another board.': 'स्विच अर्को बोर्डमा सार्न मिल्दैन।',
  'Your earlier address belongs to another account by now. Please write to us.':
    'तपाईंको पहिलेको ठेगाना अहिले अर्को खाताको हो। हामीलाई लेख्नुहोस्।',
  'This email belongs to another account.': 'यो इमेल अर्को खाताको हो।',
  'Another account has verified this phone number.': 'यो फोन नम्बर अर्को खाताले पुष्टि गरिसकेको छ।',
  'This phone number belongs to another account.': 'यो फोन नम्बर अर्को खाताको हो।',
  'Your email is verified already.': 'तपाईंको इमेल पहिल्यै पुष्टि भइसकेको छ।',
  'Your phone is verified already.': 'तपाईंको फोन पहिल्यै पुष्टि भइसकेको छ।',
  'This picture cannot be read. Choose another one.': 'यो तस्बिर पढ्न सकिएन। अर्को छान्नुहोस्।',
  'Choose a picture: JPEG, PNG, WebP or GIF.': 'तस्बिर छान्नुहोस्: JPEG, PNG, WebP वा GIF।',
  'The file is too large.': 'फाइल धेरै ठूलो छ।',
  'The end date has passed.': 'अन्तिम मिति बितिसक्यो।',
  'The end date has passed. Choose a later one to set the schedule active.':
    'अन्तिम मिति बितिसक्यो। समयतालिका सक्रिय गर्न पछिको मिति छान्नुहोस्।',
  'The schedule would not run any more before its end date.': 'अन्तिम मितिअघि यो समयतालिका फेरि चल्ने छैन।',
  'Start time and end time must differ.': 'सुरु र अन्त्यको समय फरक हुनुपर्छ।',
  'Please select at least one day for a weekly repeat.': 'हरेक हप्ताका लागि कम्तीमा एउटा दिन छान्नुहोस्।',
  'Days are for a weekly repeat. Choose weekly too.': 'दिन हरेक हप्ताको समयतालिकाका लागि मात्र हुन्। हरेक हप्ता पनि छान्नुहोस्।',
  'The pairing code has expired. Make a new one.': 'जोड्ने कोडको म्याद सकियो। नयाँ बनाउनुहोस्।',
  'This board was refused. Start the pairing again from the app.': 'यो बोर्ड स्वीकार भएन। एपबाट फेरि जोड्न सुरु गर्नुहोस्।',
  'This board belongs to another account. Its owner must delete it there first.':
    'यो बोर्ड अर्को खाताको हो। पहिले त्यसको धनीले हटाउनुपर्छ।',
  'This board installs an update. Try again when it has restarted.':
    'यो बोर्ड अद्यावधिक हुँदै छ। बोर्ड फेरि सुरु भएपछि प्रयास गर्नुहोस्।',
  'The board is offline.': 'बोर्ड अफलाइन छ।',
  '⚠️ No response from device. Restoring state.': '⚠️ उपकरणबाट जवाफ आएन। अघिल्लो अवस्था फर्काइँदैछ।',
  'You do not have permission to perform this action.': 'तपाईंलाई यो काम गर्ने अनुमति छैन।',
  'The disk of the server is full or cannot be written. Nothing was stored.':
    'सर्भरको डिस्क भरिएको छ वा त्यसमा लेख्न सकिँदैन। केही पनि सुरक्षित भएन।',
  'Requests from your address are blocked.': 'तपाईंको ठेगानाबाट आएका अनुरोध रोकिएका छन्।',
  'Something went wrong. Please try again.': 'केही गडबड भयो। फेरि प्रयास गर्नुहोस्।'
}

/**
 * Messages with a name or a number: `{1}` is the first part, `{1w}` one of the product's own words. Specific patterns
 * come first.
 */
const shapes: readonly (readonly [shape: RegExp, nepali: string])[] = [
  [/try again after (\d+) seconds?/, 'कृपया {1} सेकेन्डपछि फेरि प्रयास गर्नुहोस्।'],
  [
    /^An account has at most (\d+) boards\. Delete one first\.$/,
    'एउटा खातामा बढीमा {1} वटा बोर्ड हुन्छन्। पहिले एउटा मेट्नुहोस्।'
  ],
  [
    /^An account has at most (\d+) rooms\. Remove one first\.$/,
    'एउटा खातामा बढीमा {1} वटा कोठा हुन्छन्। पहिले एउटा हटाउनुहोस्।'
  ],
  [/^There are (\d+) schedules already\. Delete one first\.$/, 'तपाईंका {1} वटा समयतालिका छन्। पहिले एउटा मेट्नुहोस्।'],
  [/^(.+) has (\d+) schedules already\. Delete one first\.$/, '{1} मा {2} वटा समयतालिका छन्। पहिले एउटा मेट्नुहोस्।'],
  [/^(.+) is offline\. Check its power and Wi-Fi\.$/, '{1} अफलाइन छ। यसको बिजुली र वाइफाइ हेर्नुहोस्।'],
  [
    /^Device type (.+) \/ (.+) is not known here\. Ask your supplier to add it\.$/,
    'बोर्डको प्रकार {1} / {2} यहाँ थाहा छैन। आफ्नो बिक्रेतालाई थप्न भन्नुहोस्।'
  ],
  [
    /^This board is a (.+) \/ (.+), but was added here as (.+) \/ (.+)\. Delete it here, then set it up again\.$/,
    'यो बोर्ड {1} / {2} हो, तर यहाँ {3} / {4} भनेर थपिएको छ। यहाँबाट हटाएर फेरि जोड्नुहोस्।'
  ],
  [/^The board refused: (.+)\.$/, 'बोर्डले मानेन: {1w}।'],
  [
    /^This picture has too many pixels\. Choose one of at most (\d+) megapixels\.$/,
    'यो तस्बिर धेरै ठूलो छ। बढीमा {1} मेगापिक्सेलको छान्नुहोस्।'
  ],
  [
    /^This picture is too long or too wide\. Choose one of at most (\d+) pixels on each side\.$/,
    'यो तस्बिर धेरै लामो वा चौडा छ। हरेक छेउ बढीमा {1} पिक्सेलको छान्नुहोस्।'
  ],
  ...staffShapes,
  ...noticeShapes
]

/** Our own page causes such a refusal only if it is older than the server. */
const notUnderstood = 'सर्भरले यो अनुरोध बुझेन। पृष्ठ फेरि खोल्नुहोस्।'

/** Refusals of requests that only another program sends, or that were cut off. */
const cutOff =
  /^(?:The (?:request|body|form|address)|A field (?:of|name of) the form|Send (?:one file|the body)|That (?:content|character))/

/** Fallbacks by error code for unknown messages. Other codes cover too many cases for one text. */
const kinds: Partial<Record<ErrorCode, string>> = {
  NOT_FOUND: 'यो भेटिएन। कसैले हटाएको हुन सक्छ।',
  FORBIDDEN: 'तपाईंलाई यो काम गर्ने अनुमति छैन।',
  DEVICE_OFFLINE: 'बोर्ड अफलाइन छ।',
  DEVICE_NO_RESPONSE: 'बोर्डले जवाफ दिएन।',
  IP_BLOCKED: 'तपाईंको ठेगानाबाट आएका अनुरोध रोकिएका छन्।',
  METHOD_NOT_ALLOWED: notUnderstood,
  UNSUPPORTED_MEDIA: notUnderstood,
  URI_TOO_LONG: notUnderstood,
  PAYLOAD_TOO_LARGE: 'पठाएको कुरा धेरै ठूलो छ।',
  STORAGE_FULL: 'सर्भरको डिस्क भरिएको छ वा त्यसमा लेख्न सकिँदैन। केही पनि सुरक्षित भएन।',
  UNAVAILABLE: 'सर्भरले अहिले जवाफ दिन सकेन। केही बेरमा फेरि प्रयास गर्नुहोस्।',
  INTERNAL: 'केही गडबड भयो। फेरि प्रयास गर्नुहोस्।'
}

/** Translates the server's message, given the code of a refusal; a message without a translation stays as it is. */
export function inNepali(message: string, code?: ErrorCode): string {
  if (Object.hasOwn(sentences, message)) return sentences[message] ?? message
  for (const [shape, nepali] of shapes) {
    const parts = shape.exec(message)
    if (parts !== null)
      return nepali.replaceAll(/\{(\d)(w?)\}/g, (_, nth: string, words: string) =>
        (words === '' ? figureInNepali : wordsInNepali)(parts[Number(nth)] ?? '')
      )
  }
  if (code === undefined) return missedInNepali(message) ?? message
  return kinds[code] ?? (cutOff.test(message) ? notUnderstood : message)
}
