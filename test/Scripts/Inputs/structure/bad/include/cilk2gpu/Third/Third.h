class Large;
