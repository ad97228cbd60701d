import './gallery.css';
import { createRoot } from 'react-dom/client';
import { startI18n } from '#web/shared/i18n/i18n.ts';
import { Gallery } from './Gallery.tsx';

const root = document.getElementById('root');
void startI18n().then(() => root && createRoot(root).render(<Gallery />));
