import { type FocusEventHandler, useState } from 'react';

interface DisabledProps<Control extends Element> {
  disabled: boolean;
  'aria-disabled': true | undefined;
  onFocus: FocusEventHandler<Control>;
  onBlur: FocusEventHandler<Control>;
}

/**
 * Returns the props of a control that keeps the focus when it is disabled. A browser takes the focus from a `disabled`
 * element, so a focused control is only `aria-disabled` until the focus leaves it: it must ignore presses itself.
 */
export function useDisabled<Control extends Element>(disabled = false): DisabledProps<Control> {
  const [is_focused, setFocused] = useState(false);
  return {
    disabled: disabled && !is_focused,
    'aria-disabled': (disabled && is_focused) || undefined,
    onFocus: () => setFocused(true),
    // When the window loses the focus, the control stays the active element, and gets the focus back with the window.
    onBlur: ({ currentTarget }) => setFocused(document.activeElement === currentTarget),
  };
}
