import type { messages as en } from '../en/rules.ts'

export const messages: Record<keyof typeof en, string> = {
  'rules.required': 'यो भर्नुपर्छ',
  'rules.ssid': 'वाइफाइको नाम (SSID) चाहिन्छ',
  'rules.wifiPassword': 'वाइफाइको पासवर्ड चाहिन्छ',
  'rules.ssidBytes': 'वाइफाइको नाम (SSID) बढीमा ३२ बाइटको हुन्छ: देवनागरीको एक अक्षरले तीन बाइट लिन्छ',
  'rules.ssidLong': 'वाइफाइको नाम (SSID) बढीमा {count, number} अक्षरको हुन्छ',
  'rules.wifiNameBytes': 'बढीमा ३२ बाइट: देवनागरीको एक अक्षरले तीन बाइट लिन्छ',
  'rules.wifiPasswordShort': 'कम्तीमा ८ अक्षर हुनुपर्छ, हरेक वाइफाइ पासवर्डमा हुन्छ',
  'rules.wifiPasswordLong': 'वाइफाइको पासवर्ड बढीमा {count, number} अक्षरको हुन्छ',
  'rules.roomName': 'कोठाको नाम लेख्नुहोस्',
  'rules.switchName': 'नाम खाली हुन सक्दैन',
  'rules.role': 'भूमिका छान्नुहोस्।',
  'rules.tenDigits': 'फोन नम्बर ठीक १० अङ्कको हुनुपर्छ।',
  'rules.deviceType': 'यस्तो उपकरणको प्रकार छैन',
  'rules.email': 'sita@example.com जस्तो इमेल लेख्नुहोस्।',
  'rules.whole': 'पूर्ण सङ्ख्या हुनुपर्छ',
  'rules.oneLine': 'एकै लाइनमा लेख्नुहोस्',
  'rules.scheduleTimes': 'सुरु र अन्त्यको समय र कार्य चारै चाहिन्छ।',
  'rules.scheduleSwitch': 'समयतालिकाका लागि स्विच र त्यसको क्रम छान्नुहोस्।',
  'rules.atMostCharacters': 'बढीमा {count, number} अक्षर',
  'rules.passwordShort': 'पासवर्ड कम्तीमा {count, number} अक्षरको हुनुपर्छ।',
  'rules.passwordLong': 'पासवर्ड बढीमा {count, number} अक्षरको हुनुपर्छ।',
  'rules.atLeast': 'कम्तीमा {count, number} हुनुपर्छ',
  'rules.atMost': 'बढीमा {count, number} हुनुपर्छ',
  'rules.fanIndexes': 'पङ्खाका क्रमको सङ्ख्या पङ्खाको सङ्ख्या ({count, number}) सँग ठ्याक्कै मिल्नुपर्छ',
  'rules.socketIndexes': 'सकेटका क्रमको सङ्ख्या सकेटको सङ्ख्या ({count, number}) सँग ठ्याक्कै मिल्नुपर्छ'
}
