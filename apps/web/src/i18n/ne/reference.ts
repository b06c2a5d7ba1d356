import type { messages as en } from '#web/i18n/en/reference.ts'

export const messages: Record<keyof typeof en, string> = {
  'reference.title': 'एपीआई सन्दर्भ',
  'reference.subtitle': 'हरेक कल, त्यसले के लिन्छ र के जवाफ दिन्छ। फाइलका रूपमा:',
  'reference.failed': 'एपीआई सन्दर्भ खुलेन',
  'reference.find': 'कल खोज्नुहोस्',
  'reference.groups': 'कलका समूह',
  'reference.none': 'त्यस्तो कुनै कल छैन।',
  'reference.required': 'अनिवार्य',
  'reference.parameters': 'प्यारामिटर',
  'reference.body': 'पठाइने कुरा',
  'reference.answers': 'जवाफ',
  'reference.try': 'चलाएर हेर्नुहोस्',
  'reference.as': '{name} को नाममा साँच्चै पठाइन्छ: यसले जे फेर्छ, फेरिन्छ।',
  'reference.needLogin': 'यो कललाई लगइन चाहिन्छ: पहिले लगइन गर्नुहोस्, वा त्यसै के जवाफ आउँछ हेर्नुहोस्।',
  'reference.send': 'पठाउनुहोस्',
  'reference.status': '{status} जवाफ आयो',
  'reference.noAnswer': 'जवाफ आएन'
}
