import { type FocusEventHandler, useState } from 'react';

interface DisabledProps<Control extends Element> {
  disabled: boolean;
  'aria-disabled': true | undefined;
  onFocus: FocusEventHandler<Control>;
  onBlur: FocusEventHandler<Control>;
}

/**
 * Returns the props of a control that may be disabled while it has the focus, which a browser would take from it: until
 * the focus leaves, it is `aria-disabled` only, and has to ignore presses.
 */
export function useDisabled<Control extends Element>(disabled = false): DisabledProps<Control> {
  const [is_focused, setFocused] = useState(false);
  return {
    disabled: disabled && !is_focused,
    'aria-disabled': (disabled && is_focused) || undefined,
    onFocus: () => setFocused(true),
    // A window that loses the focus keeps its active element, and gives the focus back to it.
    onBlur: ({ currentTarget }) => setFocused(document.activeElement === currentTarget),
  };
}
