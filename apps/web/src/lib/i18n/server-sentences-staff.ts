/** Fixed messages of the server to staff. */
export const staffSentences: Readonly<Record<string, string>> = {
  'A cancelled rollout cannot be tried again. Start a new one.': 'रद्द भएको पठाउने काम फेरि चलाउन मिल्दैन। नयाँ सुरु गर्नुहोस्।',
  'A file that was released cannot become a draft again. Withdraw it instead.':
    'जारी भइसकेको फाइल फेरि मस्यौदा हुँदैन। बरु फिर्ता लिनुहोस्।',
  'A rollout or an update under way uses this file. Cancel the rollout, or wait until it ends.':
    'चलिरहेको पठाउने काम वा अद्यावधिकले यो फाइल चलाइरहेको छ। पठाउने काम रद्द गर्नुहोस् वा सकिन दिनुहोस्।',
  'A port needs a server. Enter its address too.': 'पोर्टका लागि सर्भर चाहिन्छ। त्यसको ठेगाना पनि लेख्नुहोस्।',
  'A server address cannot be removed. Enter the server that the board is to use.':
    'सर्भरको ठेगाना हटाउन मिल्दैन। बोर्डले चलाउने सर्भर लेख्नुहोस्।',
  'An admin is logged in from this address.': 'यो ठेगानाबाट एक प्रशासक लगइन छन्।',
  'Another admin has blocked this address meanwhile. The list shows until when.':
    'यसैबीच अर्को प्रशासकले यो ठेगाना रोकिसक्नुभयो। कहिलेसम्म भन्ने सूचीमा छ।',
  'Another admin has changed this file meanwhile.': 'यसैबीच अर्को प्रशासकले यो फाइल बदल्नुभयो।',
  'Another admin has withdrawn this file meanwhile.': 'यसैबीच अर्को प्रशासकले यो फाइल फिर्ता लिनुभयो।',
  'Another rollout or update has these boards. Wait until it has ended.':
    'यी बोर्ड अर्को अद्यावधिकमा छन्। नसकिउन्जेल पर्खनुहोस्।',
  'An update of this board is under way. Wait until it has ended.': 'यो बोर्ड अद्यावधिक हुँदै छ। नसकिउन्जेल पर्खनुहोस्।',
  'Another admin must start what you have made.': 'तपाईंले बनाएको अर्को प्रशासकले सुरु गर्नुपर्छ।',
  'Choose a firmware file that ends in .bin.': '.bin मा टुङ्गिने फर्मवेयर फाइल छान्नुहोस्।',
  'Please choose a file': 'कृपया फाइल छान्नुहोस्',
  'Delete your own account in your profile.': 'आफ्नो खाता आफ्नै प्रोफाइलबाट मेट्नुहोस्।',
  'Only a rollout of firmware can be rolled forward.': 'फर्मवेयरको पठाउने काम मात्र अघि बढाउन मिल्छ।',
  'The version in the signed image must be a version such as 1.4.2.': 'साइन गरिएको इमेजको संस्करण 1.4.2 जस्तो हुनुपर्छ।',
  'This address is not blocked any more.': 'यो ठेगाना अब रोकिएको छैन।',
  'This address belongs to the server or to its proxy.': 'यो ठेगाना सर्भर वा त्यसको प्रोक्सीको हो।',
  'This board may not take that image.': 'यो बोर्डले त्यो इमेज लिन मिल्दैन।',
  'This board must pass through another version first, and none is released.':
    'यो बोर्ड पहिले अर्को संस्करण भएर जानुपर्छ, तर त्यस्तो कुनै जारी छैन।',
  'This image is for another kind of board.': 'यो इमेज अर्को किसिमको बोर्डको हो।',
  'This image is older than the security of this board allows.': 'यो इमेज बोर्डको सुरक्षाले मान्नेभन्दा पुरानो छ।',
  'This image is not signed. Sign it with `npm run firmware -- sign` and a trusted key.':
    'यो इमेज साइन गरिएको छैन। भरपर्दो साँचो लिएर `npm run firmware -- sign` ले साइन गर्नुहोस्।',
  'This image was changed after it was signed.': 'यो इमेज साइन गरेपछि बदलिएको छ।',
  'This is the address you are using.': 'तपाईं आफैँ यही ठेगानाबाट हुनुहुन्छ।',
  'This is the only admin. Make somebody else an admin first.':
    'प्रशासक यी एक जना मात्र छन्। पहिले अरू कसैलाई प्रशासक बनाउनुहोस्।',
  'This link has expired. Open the list of firmware files again.':
    'यो लिङ्कको म्याद सकियो। फर्मवेयर फाइलको सूची फेरि खोल्नुहोस्।',
  'This link is not valid. Open the list of firmware files again.': 'यो लिङ्क मिलेन। फर्मवेयर फाइलको सूची फेरि खोल्नुहोस्।',
  'Storing its boards took too long. Please try again.': 'यसका बोर्ड सुरक्षित गर्न धेरै समय लाग्यो। फेरि प्रयास गर्नुहोस्।',
  'The board did not come back.': 'बोर्ड फर्केर आएन।',
  'It made no progress for 15 minutes.': '१५ मिनेटसम्म बोर्डमा केही प्रगति भएन।',
  'It did not confirm the settings within 15 minutes.': '१५ मिनेटभित्र बोर्डले सेटिङ पुष्टि गरेन।',
  'The board may not take this image any more.': 'यो बोर्डले अब यो इमेज लिन मिल्दैन।',
  'The rollout has changed meanwhile. Look at it, and try again.':
    'यसैबीच पठाउने काम बदलियो। त्यसलाई हेरेर फेरि प्रयास गर्नुहोस्।',
  'This rollout has not updated any board.': 'यो पठाउने कामले कुनै बोर्ड अद्यावधिक गरेको छैन।',
  'This server does not answer to that host name. Its operator can add it to ALLOWED_HOSTS.':
    'यो सर्भरले त्यो होस्ट नाममा जवाफ दिँदैन। सञ्चालकले ALLOWED_HOSTS मा थप्न सक्छन्।'
}

/**
 * Messages with a name or a number: `{1}` is the first part, `{1w}` one of the product's own words. Specific patterns
 * come first.
 */
export const staffShapes: readonly (readonly [shape: RegExp, nepali: string])[] = [
  [/^A device type with code (.+) and model (.+) exists already\.$/, 'कोड {1} र मोडेल {2} भएको बोर्डको प्रकार पहिल्यै छ।'],
  [/^A device with MAC (.+) exists already\.$/, 'MAC {1} भएको बोर्ड पहिल्यै छ।'],
  [/^A file named (.+), or of that version, exists already\.$/, '{1} नामको वा त्यही संस्करणको फाइल पहिल्यै छ।'],
  [/^A file named (.+) exists already\.$/, '{1} नामको फाइल पहिल्यै छ।'],
  [/^A rollout that is (.+) cannot become (.+)\.$/, '{1w} पठाउने काम {2w} हुन सक्दैन।'],
  [/^No board is left for this change(.*)\.$/, 'यो परिवर्तनका लागि कुनै बोर्ड बाँकी छैन{1w}।'],
  [/^No board is left for this rollout(.*)\.$/, 'यो पठाउने कामका लागि कुनै बोर्ड बाँकी छैन{1w}।'],
  [/^No device type has the model (.+) that this image is for\.$/, 'यो इमेजको मोडेल {1} भएको बोर्डको प्रकार छैन।'],
  [
    /^One board is of this type\. Save it as a new type to change its (.+)\.$/,
    'एउटा बोर्ड यही प्रकारको छ। {1w} बदल्न नयाँ प्रकारका रूपमा सुरक्षित गर्नुहोस्।'
  ],
  [
    /^(\d+) boards are of this type\. Save it as a new type to change its (.+)\.$/,
    '{1} वटा बोर्ड यही प्रकारका छन्। {2w} बदल्न नयाँ प्रकारका रूपमा सुरक्षित गर्नुहोस्।'
  ],
  [/^One board is of this type\.$/, 'एउटा बोर्ड यही प्रकारको छ।'],
  [/^(\d+) boards are of this type\.$/, '{1} वटा बोर्ड यही प्रकारका छन्।'],
  [
    /^The file name says version (.+), the signed image says (.+)\. They must agree\.$/,
    'फाइलको नामले संस्करण {1} भन्छ, साइन गरिएको इमेजले {2}। दुवै एउटै हुनुपर्छ।'
  ],
  [
    /^The secure version (.+) is below (.+), the highest of (.+)\. Boards would refuse it\.$/,
    'सुरक्षा संस्करण {1}, {3} को सबैभन्दा माथिल्लो {2} भन्दा तल छ। बोर्डले यसलाई मान्दैनन्।'
  ],
  [/^It runs (.+) again\.$/, 'बोर्ड फेरि {1} मै चलिरहेको छ।'],
  [/^It was started again in the middle (\d+) times\.$/, 'बीचैमा बोर्ड {1} पटक फेरि खुल्यो।'],
  [
    /^It was sent to the board (\d+) more times, without any progress\.$/,
    'बोर्डलाई यो थप {1} पटक पठाइयो, तर केही अघि बढेन।'
  ],
  [/^This board is pinned to version (.*)\. Unpin it first\.$/, 'यो बोर्ड संस्करण {1} मा अड्याइएको छ। पहिले फुकाउनुहोस्।'],
  [/^This board runs version (.+) already\.$/, 'यो बोर्ड संस्करण {1} मै चलिरहेको छ।'],
  [/^This image is damaged: (.+)\.$/, 'यो इमेज बिग्रेको छ: {1w}।'],
  [
    /^This image was signed with the key (.+), which is not trusted here\.$/,
    'यो इमेज {1} साँचोले साइन गरिएको छ, जुन यहाँ भरपर्दो छैन।'
  ],
  [
    /^Version (.+) is not above (.+)\. Sign the image anew under a higher number\.$/,
    'संस्करण {1}, {2} भन्दा माथि छैन। माथिल्लो नम्बर राखेर फेरि साइन गर्नुहोस्।'
  ],
  [/^Version (.+) of (.+) exists already: (.+)\.$/, '{2} को संस्करण {1} पहिल्यै छ: {3}।'],
  [/^Version (.+) exists already: (.+)\.$/, 'संस्करण {1} पहिल्यै छ: {2}।'],
  [/^(.+) is a draft\. Release it first\.$/, '{1} मस्यौदा हो। पहिले जारी गर्नुहोस्।'],
  [/^The file (.+) of this rollout was deleted\.$/, 'यो पठाउने कामको फाइल {1} मेटाइएको छ।'],
  [
    /^Boards of this rollout need a version on the way to (.+) that is withdrawn\.$/,
    'यो पठाउने कामका बोर्डलाई {1} मा पुग्न चाहिने बीचको संस्करण फिर्ता लिइएको छ।'
  ],
  [/^(.+) is withdrawn\.$/, '{1} फिर्ता लिइयो।'],
  [
    /^(.+) is not signed, and this server asks for signed images\.$/,
    '{1} साइन गरिएको छैन, र यो सर्भरले साइन गरिएको इमेज माग्छ।'
  ],
  [/^(.+) was signed with a key that is withdrawn\.$/, '{1} फिर्ता लिइएको साँचोले साइन गरिएको छ।']
]
