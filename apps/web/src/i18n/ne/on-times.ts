import type { messages as en } from '#web/i18n/en/on-times.ts'

export const messages: Record<keyof typeof en, string> = {
  'onTime.week': 'बलेको समय, पछिल्ला ७ दिन',
  'onTime.lastDay': 'बलेको समय, पछिल्लो २४ घण्टा',
  'onTime.caption': 'हरेक स्विच दिनमा कति बेर बल्यो',
  'onTime.switch': 'स्विच',
  'onTime.total': 'जम्मा',
  'onTime.none': 'पछिल्ला ७ दिनमा केही बलेन।',
  'onTime.noneToday': 'पछिल्लो २४ घण्टामा केही बलेन।',
  'onTime.failed': 'बलेको समय ल्याउन सकिएन',
  'onTime.showTable': 'तालिकामा हेर्नुहोस्',
  'onTime.showChart': 'चित्रमा हेर्नुहोस्',
  'onTime.more': 'थप {count, number} देखाउनुहोस्',
  'onTime.fewer': 'कम देखाउनुहोस्',
  'onTime.today': 'आज',
  'onTime.yesterday': 'हिजो',
  'onTime.dayBefore': 'अघिल्लो दिन',
  'onTime.dayAfter': 'पछिल्लो दिन',
  'onTime.on': 'बलेको',
  'onTime.since': '{time} देखि बलेको'
}
