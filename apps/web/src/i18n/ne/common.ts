import type { messages as en } from '#web/i18n/en/common.ts'

export const messages: Record<keyof typeof en, string> = {
  'common.cancel': 'रद्द गर्नुहोस्',
  'common.close': 'बन्द गर्नुहोस्',
  'common.save': 'सुरक्षित गर्नुहोस्',
  'common.saving': 'सुरक्षित हुँदैछ...',
  'common.delete': 'मेटाउनुहोस्',
  'common.showPassword': 'पासवर्ड देखाउनुहोस्',
  'common.hidePassword': 'पासवर्ड लुकाउनुहोस्',
  'common.optional': 'ऐच्छिक',
  'common.keepEditing': 'लेख्न जारी राख्नुहोस्',
  'common.discard': 'छोड्नुहोस्',
  'common.discardTitle': 'लेखेको कुरा छोड्ने हो?',
  'common.discardBody': 'यो सुरक्षित गरिएको छैन।',
  'common.discardSaving': 'यो सुरक्षित हुँदै छ: बन्द गर्दा त्यो रोकिँदैन।',
  'common.misunderstood': 'यो पृष्ठले सर्भरको जवाफ पढ्न सकेन। पृष्ठ फेरि खोल्नुहोस्।',
  'common.noAnswerInTime': 'सर्भरले १० सेकेन्डभित्र जवाफ दिएन।',
  'common.request': 'अनुरोध',
  'common.timeShape': 'HH:MM',
  'common.timeFault': '००:०० देखि २३:५९ सम्मको समय लेख्नुहोस्, जस्तै १८:३०।',
  'common.crashTitle': 'यो पृष्ठमा केही बिग्रियो',
  'common.crashBody': 'पृष्ठ फेरि खोल्नुहोस्। फेरि यस्तै भयो भने के गर्दै हुनुहुन्थ्यो, सहायतालाई भन्नुहोस्।',
  'common.noAnswer': 'जवाफ आएन। काम भइसकेको हुन सक्छ: फेरि गर्नुअघि हेर्नुहोस्।'
}
