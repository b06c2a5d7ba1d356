import type { messages as en } from '../en/common.ts'

export const messages: Record<keyof typeof en, string> = {
  'common.cancel': 'रद्द गर्नुहोस्',
  'common.close': 'बन्द गर्नुहोस्',
  'common.save': 'सुरक्षित गर्नुहोस्',
  'common.delete': 'मेटाउनुहोस्',
  'common.tryAgain': 'फेरि प्रयास गर्नुहोस्',
  'common.loading': 'लोड हुँदैछ...',
  'common.options': 'विकल्पहरू',
  'common.showPassword': 'पासवर्ड देखाउनुहोस्',
  'common.hidePassword': 'पासवर्ड लुकाउनुहोस्',
  'common.required': 'अनिवार्य',
  'common.optional': 'ऐच्छिक',
  'common.choose': 'छान्नुहोस्',
  'common.keepEditing': 'लेख्न जारी राख्नुहोस्',
  'common.discard': 'छोड्नुहोस्',
  'common.discardTitle': 'लेखेको कुरा छोड्ने हो?',
  'common.discardBody': 'यो सुरक्षित गरिएको छैन।',
  'common.failedTitle': 'यो खुलेन',
  'common.failedBody': 'सर्भरबाट जवाफ आएन। इन्टरनेट जाँचेर फेरि प्रयास गर्नुहोस्।',
  'common.crashTitle': 'यो पृष्ठमा केही बिग्रियो',
  'common.crashBody': 'पृष्ठ फेरि खोल्नुहोस्। फेरि यस्तै भयो भने के गर्दै हुनुहुन्थ्यो, सहायतालाई भन्नुहोस्।',
  'common.reload': 'पृष्ठ फेरि खोल्नुहोस्',
  'common.somethingWrong': 'केही गडबड भयो'
}
