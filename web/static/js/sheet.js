// The score sheet: its button to print, where there is a script to run it.

const button = document.getElementById('print');
button.hidden = false;
button.addEventListener('click', () => window.print());
